package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.packet.Origin;
import dev.bluebell.softnic.packet.Packet;

/**
 * A path over InfiniBand. Both ends must agree on it: an end of a connection takes only packets
 * that come from the LID that it sends to, with a global route header if it has one itself. Mirrors
 * the InfiniBand Architecture, volume 1, 9.6.1.
 */
final class InfiniBandPath implements Path {
  /** Bits of the destination word that name a path: SL and rate, path bits, LID. */
  private static final long PATH_BITS =
      AddressVector.SL.place(0xf)
          | AddressVector.MLID.place(0x7f)
          | AddressVector.RLID.place(0xffff);

  private static final long SOURCE_BITS = AddressVector.SRC_ADDR_INDEX.place(0xff);

  private final InfiniBandPort port;
  private final boolean global;
  private final int sourceLid;
  private final int destinationLid;
  private final int serviceLevel;
  private final long pathWord;
  private final int sourceIndex;
  private final Gid source;
  private final Gid destination;
  private final long origin;

  /**
   * @param global true when packets have a global route header; otherwise the last two parameters
   *     are ignored
   * @param pathBits the low bits of the sender's LID, 7 bits
   * @param destinationLid 16 bits
   * @param serviceLevel 0 … 15
   */
  InfiniBandPath(
      InfiniBandPort port,
      boolean global,
      int pathBits,
      int destinationLid,
      int serviceLevel,
      int sourceIndex,
      Gid destination) {
    this.port = port;
    this.global = global;
    this.destinationLid = destinationLid;
    this.serviceLevel = serviceLevel;
    this.sourceIndex = sourceIndex;
    this.destination = destination;
    int ownBits = pathBits & port.pathBits();
    sourceLid = port.lid() | ownBits;
    source = global ? port.gid(sourceIndex) : Gid.ZERO;
    pathWord =
        AddressVector.SL.place(serviceLevel)
            | AddressVector.MLID.place(pathBits)
            | AddressVector.RLID.place(destinationLid);
    // Messages of a connection have no global route header in front of them.
    origin = Origin.infiniBand(false, serviceLevel, 0, destinationLid, ownBits);
  }

  @Override
  public void address(Packet packet) {
    packet.global = global;
    // A global route header has the form of RoCE v1.
    packet.v1 = true;
    packet.sourceLid = sourceLid;
    packet.destinationLid = destinationLid;
    packet.serviceLevel = serviceLevel;
    packet.sourceGidHigh = source.high();
    packet.sourceGidLow = source.low();
    packet.destinationGidHigh = destination.high();
    packet.destinationGidLow = destination.low();
  }

  @Override
  public boolean isOf(long at) {
    return (Memory.getLong(at + AddressVector.DESTINATION_WORD) & PATH_BITS) == pathWord
        && InfiniBandPort.isGlobal(at) == global
        && (!global || isRoute(at));
  }

  private boolean isRoute(long at) {
    return Memory.getLong(at + AddressVector.RGID_LOW_WORD) == destination.low()
        && Memory.getLong(at + AddressVector.RGID_HIGH_WORD) == destination.high()
        && (Memory.getLong(at + AddressVector.ROUTE_WORD) & SOURCE_BITS)
            == AddressVector.SRC_ADDR_INDEX.place(sourceIndex);
  }

  @Override
  public boolean isFrom(Packet packet) {
    return packet.sourceLid == destinationLid
        && packet.global == global
        && (!global
            || packet.sourceGidLow == destination.low()
                && isSubnet(packet.sourceGidHigh)
                && port.answersTo(packet.destinationGidHigh, packet.destinationGidLow));
  }

  private boolean isSubnet(long prefix) {
    return prefix == destination.high() || prefix == Port.LINK_LOCAL_PREFIX;
  }

  @Override
  public boolean answers(Packet request) {
    return isFrom(request)
        && request.destinationLid == sourceLid
        && request.serviceLevel == serviceLevel;
  }

  @Override
  public boolean isFrom(Path other) {
    return other instanceof InfiniBandPath path
        && path.sourceLid == destinationLid
        && path.global == global
        && (!global
            || path.source.low() == destination.low()
                && isSubnet(path.source.high())
                && port.answersTo(path.destination.high(), path.destination.low()));
  }

  @Override
  public String whyNotFrom(Packet packet, String self) {
    if (packet.sourceLid != destinationLid) {
      return "%s is connected to LID 0x%x (rlid), but the %s came from LID 0x%x: the path bits (mlid) of one end must be the low bits of rlid of the other"
          .formatted(self, destinationLid, Path.word(packet), packet.sourceLid);
    }
    if (packet.global != global) {
      return "%s has %s global route (grh), but the %s came with%s: both ends must have one, or neither"
          .formatted(self, global ? "a" : "no", Path.word(packet), packet.global ? " one" : "out");
    }
    return "%s is connected to GID %s (rgid), but the %s came from %s to %s"
        .formatted(
            self,
            destination,
            Path.word(packet),
            new Gid(packet.sourceGidHigh, packet.sourceGidLow),
            new Gid(packet.destinationGidHigh, packet.destinationGidLow));
  }

  @Override
  public boolean leadsHere() {
    return port.takes(destinationLid);
  }

  @Override
  public String whyNowhere() {
    return destinationLid == 0
        ? "its path has no destination LID (rlid is 0), and an InfiniBand port addresses its peers"
            + " by LID"
        : "no port of this subnet has the destination LID 0x%x (rlid); this port's is 0x%x, and each software device with an InfiniBand port is a subnet of its own"
            .formatted(destinationLid, port.lid());
  }

  @Override
  public long origin() {
    return origin;
  }

  @Override
  public String toString() {
    String lid = "LID 0x%x".formatted(destinationLid);
    return global ? lid + ", " + destination : lid;
  }
}
