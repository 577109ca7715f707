package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.UserPathRec;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.uverbs.session.VportContext;
import java.nio.ByteBuffer;

/**
 * The path of a connection, seen from one end.
 *
 * @param source GID of this end
 * @param destination GID of the other end, or of a group
 * @param sourceIndex entry of the GID table
 * @param global true when packets carry GIDs, as always on Ethernet
 * @param lid of both ends, which have one port; 0 on Ethernet
 * @param mtu code of the path MTU, 1 … 5
 * @param hopLimit 0 … 255; more than 1 when packets carry GIDs, except to groups
 * @param trafficClass 8 bits
 * @param lifetime of a packet: 4.096 µs · 2<sup>lifetime</sup>
 */
record CmPath(
    Gid source,
    Gid destination,
    int sourceIndex,
    boolean global,
    int lid,
    int mtu,
    int hopLimit,
    int trafficClass,
    int lifetime) {
  static final int PARTITION = 0xffff;

  private static final int MOST_TIMEOUT = 31;

  /** {@code ib_sa.h: IB_SA_EQ}: the value must match exactly. */
  private static final int EXACTLY = 2;

  private static final int RECORD_BYTES = 64;
  private static final int DESTINATION = 8;
  private static final int SOURCE = 24;

  /**
   * The timeout of the queue pair, 4.096 µs · 2<sup>n</sup>: the lifetime of a packet both ways,
   * which is longer than a ConnectX takes to acknowledge. {@code cm.c: cm_ack_timeout}.
   */
  int acknowledgement() {
    return Math.min(MOST_TIMEOUT, lifetime + 1);
  }

  /** The path of a request that another device sent over the network. */
  static CmPath ofPeer(Gid peer, Gid own, int mtu, int hopLimit, int trafficClass, int lifetime) {
    return new CmPath(peer, own, 0, true, 0, mtu, hopLimit, trafficClass, lifetime);
  }

  /** The same path seen from the other end. */
  CmPath reversed(int otherIndex) {
    return new CmPath(
        destination, source, otherIndex, global, lid, mtu, hopLimit, trafficClass, lifetime);
  }

  /** Writes the path as an address vector. */
  void writeTo(View attr) {
    attr.set(AhAttr.DLID, lid)
        .set(AhAttr.IS_GLOBAL, global)
        .set(AhAttr.PORT_NUM, VportContext.PORT);
    if (global) {
      attr.at(AhAttr.GRH)
          .setBytes(GlobalRoute.DGID, destination.bytes())
          .set(GlobalRoute.SGID_INDEX, sourceIndex)
          .set(GlobalRoute.HOP_LIMIT, hopLimit)
          .set(GlobalRoute.TRAFFIC_CLASS, trafficClass);
    }
  }

  /** The path in the kernel's own form. */
  View forUser() {
    return View.of(UserPathRec.STRUCTURE)
        .setBytes(UserPathRec.DGID, destination.bytes())
        .setBytes(UserPathRec.SGID, source.bytes())
        .set(UserPathRec.DLID, lid)
        .set(UserPathRec.SLID, lid)
        .set(UserPathRec.REVERSIBLE, 1)
        .set(UserPathRec.MTU, mtu)
        .set(UserPathRec.PKEY, PARTITION)
        .set(UserPathRec.HOP_LIMIT, hopLimit)
        .set(UserPathRec.TRAFFIC_CLASS, trafficClass)
        .set(UserPathRec.MTU_SELECTOR, EXACTLY)
        .set(UserPathRec.RATE_SELECTOR, EXACTLY)
        .set(UserPathRec.PACKET_LIFE_TIME_SELECTOR, EXACTLY)
        .set(UserPathRec.PACKET_LIFE_TIME, lifetime);
  }

  /** The path as PathRecord of the subnet administrator (InfiniBand Architecture). */
  byte[] asRecord() {
    ByteBuffer fields = ByteBuffer.allocate(RECORD_BYTES);
    fields.put(DESTINATION, destination.bytes()).put(SOURCE, source.bytes());
    fields
        .position(SOURCE + Gid.ZERO.bytes().length)
        .putShort((short) lid)
        .putShort((short) lid)
        .putInt(hopLimit)
        .put((byte) trafficClass)
        .put((byte) (1 << 7)) // reversible
        .putShort((short) PARTITION)
        .putShort((short) 0) // service level
        .put((byte) (EXACTLY << 6 | mtu))
        .put((byte) (EXACTLY << 6))
        .put((byte) (EXACTLY << 6 | lifetime & 0x3f));
    return fields.array();
  }
}
