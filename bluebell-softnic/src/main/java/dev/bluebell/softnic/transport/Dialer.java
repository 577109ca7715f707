package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.VendorSyndrome;
import org.jspecify.annotations.Nullable;

/**
 * Points the connection of a dynamically connected initiator, or of one of its streams, at the
 * target that a request names. Each time it is another one, a new session begins: the target learns
 * of it by the first request (a half handshake), and of its end when the initiator turns away.
 * Owned by whoever runs the engine.
 */
final class Dialer {
  private static final int SERVICE = BthOpcode.service(ServiceType.DCI);

  /** What of an address vector says which target it is: the rest are properties of packets. */
  private static final long TARGET_BITS =
      AddressVector.EXT.place(1) | AddressVector.DCTN.place(0xffffff);

  /** Where it comes from, and the lower part of the Ethernet address. */
  private static final long SOURCE_BITS = AddressVector.SRC_ADDR_INDEX.place(0xff) | 0xffffL << 48;

  private final Connection connection;
  private final Peers peers;
  private final int stream;
  private final Packet farewell = new Packet();

  private boolean dialed;
  private long key;
  private long target;
  private long source;
  private long mac;
  private long gidHigh;
  private long gidLow;

  Dialer(Connection connection, Peers peers, int stream) {
    this.connection = connection;
    this.peers = peers;
    this.stream = stream;
    farewell.opcode = SERVICE | BthOpcode.DISCONNECT;
  }

  /** True when the address vector at an address names the target of the session. */
  boolean isDialed(long at) {
    return dialed
        && Memory.getLong(at + AddressVector.KEY_WORD) == key
        && (Memory.getLong(at + AddressVector.DESTINATION_WORD) & TARGET_BITS) == target
        && (Memory.getLong(at + AddressVector.ROUTE_WORD) & SOURCE_BITS) == source
        && Memory.getLong(at + AddressVector.RMAC_WORD) == mac
        && Memory.getLong(at + AddressVector.RGID_HIGH_WORD) == gidHigh
        && Memory.getLong(at + AddressVector.RGID_LOW_WORD) == gidLow;
  }

  /**
   * Begins a session with the target that an address vector in the device's own memory names; false
   * when the fault says why not.
   */
  boolean dial(long at, Fault fault) {
    long destination = Memory.getLong(at + AddressVector.DESTINATION_WORD);
    long path = Memory.getLong(at + AddressVector.ROUTE_WORD);
    int sourceIndex = AddressVector.sourceGidIndex(path);
    Gid local = connection.station().gid(sourceIndex);
    if (!AddressVector.isExtended(destination)) {
      return refuse(
          fault,
          "ext (bit 31 of dqp_dct) is 0, which means an address vector of 16 bytes, and RoCE needs"
              + " all 48");
    }
    if (local.equals(Gid.ZERO)) {
      return refuse(
          fault,
          "src_addr_index %d of the address vector names an empty entry of the GID table"
              .formatted(sourceIndex));
    }
    hangUp();
    key = Memory.getLong(at + AddressVector.KEY_WORD);
    target = destination & TARGET_BITS;
    source = path & SOURCE_BITS;
    gidHigh = Memory.getLong(at + AddressVector.RGID_HIGH_WORD);
    gidLow = Memory.getLong(at + AddressVector.RGID_LOW_WORD);
    mac = Memory.getLong(at + AddressVector.RMAC_WORD);
    connection.connect(
        local,
        connection.station().isV1(sourceIndex),
        AddressVector.mac(mac, path),
        gidHigh,
        gidLow,
        AddressVector.qpn(destination));
    connection.identify(key, stream, peers.newSession());
    dialed = true;
    return true;
  }

  private static boolean refuse(Fault fault, String why) {
    fault.set(Syndrome.LOCAL_QP_OP_ERR, VendorSyndrome.UNKNOWN, why);
    return false;
  }

  /** The responder of the session; null when there is none, or the target does not know of it. */
  @Nullable RcResponder responder(int qpn) {
    return dialed ? peers.session(connection, qpn) : null;
  }

  /** Ends the session. When the fabric has no room, the target learns of it by the next one. */
  void hangUp() {
    if (!dialed) {
      return;
    }
    dialed = false;
    Route route = connection.route();
    if (route != null) {
      connection.address(farewell);
      boolean unused = route.send(farewell);
    }
  }
}
