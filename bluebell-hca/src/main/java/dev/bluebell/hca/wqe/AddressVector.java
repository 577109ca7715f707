package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The destination of a datagram, or of a request of a dynamically connected initiator: 48 bytes
 * behind the control segment of the send entry. Mirrors {@code mlx5dv.h: mlx5_wqe_av} and its
 * {@code mlx5_base_av}, as RoCE uses them.
 *
 * <p>Offsets are of big-endian 8-byte words from the start of the segment. The GID of the
 * destination is the last two of them.
 */
public final class AddressVector {
  public static final int BYTES = 48;

  /** Size without {@link #EXTENDED}: the first two words. */
  public static final int COMPACT_BYTES = 16;

  private static final int FIRST_GROUP_LID = 0xc000;
  private static final int LAST_GROUP_LID = 0xfffe;

  /** Queue key of a datagram's destination. */
  public static final Field QKEY = new Field("qkey", 0, 32);

  /** Access key of a dynamically connected target. */
  public static final Field DC_KEY = new Field("dc_key", 0, 64);

  /** See {@link #EXTENDED}. */
  public static final Field EXT = new Field("ext", 64, 1);

  /** Number of a datagram's destination. */
  public static final Field DQPN = new Field("dqpn", 72, 24);

  /** Number of a dynamically connected target. */
  public static final Field DCTN = DQPN.named("dctn");

  /** Static rate and service level together. */
  public static final Field STAT_RATE_SL = new Field("stat_rate_sl", 96, 8);

  public static final Field STAT_RATE = new Field("stat_rate", 96, 4);

  /** Service level; RoCE uses only the upper three bits. */
  public static final Field SL = new Field("sl", 100, 4);

  public static final Field FL = new Field("fl", 104, 1);
  public static final Field MLID = new Field("mlid", 105, 7);

  /** Local identifier of the destination; RoCE: UDP source port. */
  public static final Field RLID = new Field("rlid", 112, 16);

  /** Ethernet address of the destination; its last two bytes are in the next word. */
  public static final Field RMAC = new Field("rmac", 160, 48);

  public static final Field TCLASS = new Field("tclass", 208, 8);
  public static final Field HOP_LIMIT = new Field("hop_limit", 216, 8);

  /** InfiniBand: the datagram has a global route. */
  public static final Field GRH = new Field("grh", 225, 1);

  /** Entry of the port's GID table from which the datagram is sent. */
  public static final Field SRC_ADDR_INDEX = new Field("src_addr_index", 228, 8);

  public static final Field FLOW_LABEL = new Field("flow_label", 236, 20);

  /** GID of the destination. */
  public static final Field RGID = new Field("rgid", 256, 128);

  /** Queue key (bytes 0–3), then 4 reserved bytes; or the DC access key. */
  public static final int KEY_WORD = 0;

  /** dqp_dct (bytes 8–11), stat_rate_sl (12), fl_mlid (13) and rlid or UDP source port (14–15). */
  public static final int DESTINATION_WORD = 8;

  /** 4 reserved bytes and the first 4 bytes of the destination's Ethernet address. */
  public static final int RMAC_WORD = 16;

  /** Last 2 bytes of that address (24–25), traffic class (26), hop limit (27), grh_gid_fl (28). */
  public static final int ROUTE_WORD = 24;

  /** GID of the destination, bytes 0–7. */
  public static final int RGID_HIGH_WORD = 32;

  /** GID of the destination, bytes 8–15. */
  public static final int RGID_LOW_WORD = 40;

  /**
   * dqp_dct: the segment has all 48 bytes, {@code mlx5dv.h: MLX5_EXTENDED_UD_AV}; without this bit
   * it ends after 16 bytes.
   */
  public static final int EXTENDED = 0x80000000;

  /** Bit of a queue key that makes the datagram carry the sending queue pair's own key instead. */
  public static final int OWN_QKEY = 0x80000000;

  private AddressVector() {}

  /** Bytes 0–7. */
  public static long keyWord(int qkey) {
    return QKEY.place(qkey);
  }

  /**
   * Bytes 8–15 of a whole segment.
   *
   * @param qpn number of the destination, 24 bits
   * @param statRateSl static rate in bits 7–4; service level shifted left by 1, 3 bits of it
   * @param udpSourcePort UDP source port, 16 bits
   */
  public static long destinationWord(int qpn, int statRateSl, int udpSourcePort) {
    return EXT.place(1)
        | DQPN.place(qpn)
        | STAT_RATE_SL.place(statRateSl)
        | RLID.place(udpSourcePort);
  }

  /**
   * Bytes 8–15 of a whole segment on InfiniBand.
   *
   * @param number of the destination, 24 bits
   * @param statRateSl static rate in bits 7–4, service level in bits 3–0
   * @param sourcePathBits lower bits of the local identifier to send from, 7 bits
   * @param lid local identifier of the destination, 16 bits
   */
  public static long infiniBandDestinationWord(
      int number, int statRateSl, int sourcePathBits, int lid) {
    return destinationWord(number, statRateSl, lid) | MLID.place(sourcePathBits);
  }

  /** Bytes 16–23; the Ethernet address has 48 bits. */
  public static long rmacWord(long mac) {
    return mac >>> 16 & 0xffffffffL;
  }

  /**
   * Bytes 24–31.
   *
   * @param sourceGidIndex entry of the port's GID table, 8 bits
   * @param flowLabel 20 bits
   */
  public static long routeWord(
      long mac, int trafficClass, int hopLimit, int sourceGidIndex, int flowLabel) {
    return mac << 48
        | TCLASS.place(trafficClass)
        | HOP_LIMIT.place(hopLimit)
        | SRC_ADDR_INDEX.place(sourceGidIndex)
        | FLOW_LABEL.place(flowLabel);
  }

  /** Bytes 24–31 of a global route on InfiniBand, as {@link #routeWord} of RoCE. */
  public static long infiniBandRouteWord(
      int trafficClass, int hopLimit, int sourceGidIndex, int flowLabel) {
    return GRH.place(1) | routeWord(0, trafficClass, hopLimit, sourceGidIndex, flowLabel);
  }

  /**
   * True for the LID of a multicast group, 0xc000 … 0xfffe; InfiniBand Architecture, volume 1,
   * 4.1.1.
   */
  public static boolean isGroup(int lid) {
    return lid >= FIRST_GROUP_LID && lid <= LAST_GROUP_LID;
  }

  /**
   * UDP source port that libmlx5 derives from a flow label, {@code verbs.c: mlx5_create_ah}.
   *
   * @param flowLabel 20 bits, not 0
   */
  public static int udpSourcePort(int flowLabel) {
    int low = flowLabel & 0x3fff;
    int high = (flowLabel & 0xfc000) >>> 14;
    return low ^ high | 0xc000;
  }

  /** Queue key, 32 bits. */
  public static int qkey(long keyWord) {
    return QKEY.getInt(keyWord);
  }

  /** True when all 48 bytes are there. */
  public static boolean isExtended(long destinationWord) {
    return EXT.isSet(destinationWord);
  }

  /** Number of the destination, 24 bits. */
  public static int qpn(long destinationWord) {
    return DQPN.getInt(destinationWord);
  }

  /** Ethernet address of the destination, 48 bits. */
  public static long mac(long rmacWord, long routeWord) {
    return (rmacWord & 0xffffffffL) << 16 | routeWord >>> 48;
  }

  public static int trafficClass(long routeWord) {
    return TCLASS.getInt(routeWord);
  }

  public static int hopLimit(long routeWord) {
    return HOP_LIMIT.getInt(routeWord);
  }

  /** Entry of the port's GID table from which the datagram is sent, 8 bits. */
  public static int sourceGidIndex(long routeWord) {
    return SRC_ADDR_INDEX.getInt(routeWord);
  }

  /** 20 bits. */
  public static int flowLabel(long routeWord) {
    return FLOW_LABEL.getInt(routeWord);
  }
}
