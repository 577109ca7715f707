package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.packet.Packet;

/** A path over RoCE. */
final class EthernetPath implements Path {
  /**
   * Bits of an address vector's word that name the path: the source, and part of the MAC address.
   */
  private static final long ROUTE_BITS = AddressVector.SRC_ADDR_INDEX.place(0xff) | 0xffffL << 48;

  private final EthernetPort port;
  private final int sourceIndex;
  private final Gid source;
  private final boolean v1;
  private final Gid destination;
  private final long mac;
  private final int trafficClass;
  private final int hopLimit;
  private final int flowLabel;

  /**
   * @param mac Ethernet address of the next hop, 48 bits
   * @param trafficClass 8 bits
   * @param hopLimit 8 bits
   * @param flowLabel 20 bits
   */
  EthernetPath(
      EthernetPort port,
      int sourceIndex,
      Gid destination,
      long mac,
      int trafficClass,
      int hopLimit,
      int flowLabel) {
    this.port = port;
    this.sourceIndex = sourceIndex;
    source = port.gid(sourceIndex);
    v1 = EthernetPort.isV1(sourceIndex);
    this.destination = destination;
    this.mac = mac;
    this.trafficClass = trafficClass;
    this.hopLimit = hopLimit;
    this.flowLabel = flowLabel;
  }

  @Override
  public void address(Packet packet) {
    packet.global = true;
    packet.v1 = v1;
    packet.sourceGidHigh = source.high();
    packet.sourceGidLow = source.low();
    packet.destinationGidHigh = destination.high();
    packet.destinationGidLow = destination.low();
    packet.trafficClass = trafficClass;
    packet.hopLimit = hopLimit;
    packet.flowLabel = flowLabel;
  }

  @Override
  public boolean isOf(long at) {
    return Memory.getLong(at + AddressVector.RGID_LOW_WORD) == destination.low()
        && Memory.getLong(at + AddressVector.RGID_HIGH_WORD) == destination.high()
        && (Memory.getLong(at + AddressVector.ROUTE_WORD) & ROUTE_BITS)
            == (mac << 48 | AddressVector.SRC_ADDR_INDEX.place(sourceIndex))
        && (Memory.getLong(at + AddressVector.RMAC_WORD) & 0xffffffffL) == mac >>> 16
        && AddressVector.isExtended(Memory.getLong(at + AddressVector.DESTINATION_WORD));
  }

  @Override
  public boolean isFrom(Packet packet) {
    return packet.sourceGidLow == destination.low()
        && packet.sourceGidHigh == destination.high()
        && packet.v1 == v1;
  }

  @Override
  public boolean answers(Packet request) {
    return isFrom(request);
  }

  @Override
  public boolean isFrom(Path other) {
    return other instanceof EthernetPath path && path.source.equals(destination) && path.v1 == v1;
  }

  @Override
  public String whyNotFrom(Packet packet, String self) {
    return packet.v1 == v1
        ? "%s is connected to GID %s (rgid), not to %s, which sent the %s"
            .formatted(
                self,
                Gids.text(destination),
                Gids.text(new Gid(packet.sourceGidHigh, packet.sourceGidLow)),
                Path.word(packet))
        : "%s uses RoCE %s (src_addr_index), but the %s came by RoCE %s: both ends need GID table entries of the same type"
            .formatted(self, version(v1), Path.word(packet), version(packet.v1));
  }

  static String version(boolean first) {
    return first ? "v1" : "v2";
  }

  @Override
  public boolean leadsHere() {
    return port.isOwn(destination) && port.takes(mac, destination);
  }

  @Override
  public boolean leadsOut() {
    return port.reaches(sourceIndex, destination);
  }

  @Override
  public String farAddress() {
    return leadsHere() || !leadsOut()
        ? ""
        : Gids.address(destination.high(), destination.low()).getHostAddress();
  }

  @Override
  public String whyNowhere() {
    if (!port.isOwn(destination)) {
      return port.whyNotReached(sourceIndex, destination);
    }
    return "no port takes packets to the destination MAC %012x (rmac); it must be %012x"
        .formatted(mac, Multicast.isGroup(destination) ? Multicast.mac(destination) : port.mac());
  }

  @Override
  public long origin() {
    return 0;
  }

  @Override
  public String toString() {
    return Gids.text(destination);
  }
}
