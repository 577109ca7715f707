package dev.bluebell.hca.command;

import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;

/**
 * The codes of times in a queue pair's context, 5 bits each: {@link Ads#ACK_TIMEOUT} and {@link
 * Qpc#MIN_RNR_NAK}. The InfiniBand specification has both tables; {@code rdma-core ibv_modify_qp.3}
 * lists the second.
 */
public final class QpTimers {
  private static final int MASK = 0x1f;

  /** Times by code. Code 0 is the longest. */
  private static final long[] RNR_MICROSECONDS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  private QpTimers() {}

  /** Nanoseconds of an ACK timeout, 4.096 µs · 2^code; 0 for code 0, which means no timeout. */
  public static long ackNanos(int code) {
    return code == 0 ? 0 : 4_096L << code;
  }

  /**
   * The code of the shortest ACK timeout of at least the given time.
   *
   * @param nanos 1 … 8796093022208 (2.4 hours)
   */
  public static int ackCode(long nanos) {
    for (int code = 1; code <= MASK; code++) {
      if (nanos > 0 && nanos <= ackNanos(code)) {
        return code;
      }
    }
    throw new IllegalArgumentException(
        "an ACK timeout must be 1 ns to %d ns (2.4 hours), not %d ns"
            .formatted(ackNanos(MASK), nanos));
  }

  /** Nanoseconds that an RNR NAK with this code makes the requester wait; the low 5 bits count. */
  public static long rnrNanos(int code) {
    return RNR_MICROSECONDS[code & MASK] * 1_000;
  }

  /**
   * The code of the shortest wait after an RNR NAK of at least the given time.
   *
   * @param nanos 1 … 655360000
   */
  public static int rnrCode(long nanos) {
    if (nanos > 0) {
      for (int code = 1; code <= MASK; code++) {
        if (nanos <= rnrNanos(code)) {
          return code;
        }
      }
    }
    if (nanos <= 0 || nanos > rnrNanos(0)) {
      throw new IllegalArgumentException(
          "the time after an RNR NAK must be 1 ns to 655.36 ms, not %d ns".formatted(nanos));
    }
    return 0;
  }
}
