package dev.bluebell.hca.wqe;

/**
 * Where a datagram goes: 48 bytes behind the control segment of a datagram's send entry. Mirrors
 * {@code mlx5dv.h: mlx5_wqe_av} and its {@code mlx5_base_av}, as RoCE uses them.
 *
 * <p>Offsets are of big-endian 8-byte words from the start of the segment. The GID of the
 * destination is the last two of them.
 */
public final class AddressVector {
  public static final int BYTES = 48;

  /** Size without {@link #EXTENDED}: the first two words. */
  public static final int COMPACT_BYTES = 16;

  /** Queue key (bytes 0–3), then 4 reserved bytes. */
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
   * dqp_dct: all 48 bytes are there, {@code mlx5dv.h: MLX5_EXTENDED_UD_AV}; without it the segment
   * ends behind its first 16 bytes.
   */
  public static final int EXTENDED = 0x80000000;

  /** Bit of a queue key that asks for the sending queue pair's own key instead. */
  public static final int OWN_QKEY = 0x80000000;

  private AddressVector() {}

  /** Bytes 0–7. */
  public static long keyWord(int qkey) {
    return (long) qkey << 32;
  }

  /**
   * Bytes 8–15 of a whole segment.
   *
   * @param qpn number of the destination, 24 bits
   * @param statRateSl static rate in bits 7–4; service level shifted left by 1, 3 bits of it
   * @param udpSourcePort UDP source port, 16 bits
   */
  public static long destinationWord(int qpn, int statRateSl, int udpSourcePort) {
    int low = (statRateSl & 0xff) << 24 | udpSourcePort & 0xffff;
    return (long) (EXTENDED | qpn & 0xffffff) << 32 | low & 0xffffffffL;
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
    int high = (int) mac << 16 | (trafficClass & 0xff) << 8 | hopLimit & 0xff;
    int low = (sourceGidIndex & 0xff) << 20 | flowLabel & 0xfffff;
    return (long) high << 32 | low & 0xffffffffL;
  }

  /** Queue key, 32 bits. */
  public static int qkey(long keyWord) {
    return (int) (keyWord >>> 32);
  }

  /** True when all 48 bytes are there. */
  public static boolean isExtended(long destinationWord) {
    return destinationWord < 0;
  }

  /** Number of the destination, 24 bits. */
  public static int qpn(long destinationWord) {
    return (int) (destinationWord >>> 32) & 0xffffff;
  }

  public static int trafficClass(long routeWord) {
    return (int) (routeWord >>> 40) & 0xff;
  }

  public static int hopLimit(long routeWord) {
    return (int) (routeWord >>> 32) & 0xff;
  }

  /** Entry of the port's GID table that the datagram comes from, 8 bits. */
  public static int sourceGidIndex(long routeWord) {
    return (int) routeWord >>> 20 & 0xff;
  }

  /** 20 bits. */
  public static int flowLabel(long routeWord) {
    return (int) routeWord & 0xfffff;
  }
}
