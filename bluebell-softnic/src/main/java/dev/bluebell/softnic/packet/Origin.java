package dev.bluebell.softnic.packet;

import dev.bluebell.hca.cqe.Cqe;

/**
 * The origin of a message as its completion reports it, packed into one word: flags_rqpn in the
 * upper half; in the lower half the path bits of its destination (bits 22–16) and the source LID
 * (15–0), both 0 on RoCE.
 */
public final class Origin {
  private static final int PATH_BITS_SHIFT = 16;
  private static final int FLAGS_SHIFT = 32;
  private static final int MAX_QPN = 0xff_ffff;

  private Origin() {}

  /** The origin of a RoCE datagram; see {@link Cqe#datagramFlags}. */
  public static long roce(int l3Type, int remoteQpn) {
    return (long) Cqe.datagramFlags(l3Type, remoteQpn) << FLAGS_SHIFT;
  }

  /**
   * The origin of an InfiniBand message.
   *
   * @param global true when a global route header came with the message
   * @param serviceLevel 0 … 15
   * @param remoteQpn the sender's number, 24 bits
   * @param sourceLid the sender's LID, 16 bits
   * @param pathBits low bits of the LID that the message went to, 7 bits
   */
  public static long infiniBand(
      boolean global, int serviceLevel, int remoteQpn, int sourceLid, int pathBits) {
    return (long) Cqe.infiniBandFlags(global, serviceLevel, remoteQpn) << FLAGS_SHIFT
        | (long) pathBits << PATH_BITS_SHIFT
        | sourceLid;
  }

  /** Adds the sender's queue pair number to an origin whose number is 0. */
  public static long from(long origin, int remoteQpn) {
    return origin | (long) (remoteQpn & MAX_QPN) << FLAGS_SHIFT;
  }

  /** Bytes 24–31 of the completion. */
  public static long flagsWord(long origin) {
    return origin >>> FLAGS_SHIFT << FLAGS_SHIFT;
  }

  /** True when it has a part in bytes 16–23 of the completion. */
  public static boolean hasPath(long origin) {
    return (int) origin != 0;
  }

  /** Its part in bytes 16–23 of the completion. */
  public static long pathWord(long origin) {
    return Cqe.pathWord((int) origin >>> PATH_BITS_SHIFT, (int) origin & 0xffff);
  }
}
