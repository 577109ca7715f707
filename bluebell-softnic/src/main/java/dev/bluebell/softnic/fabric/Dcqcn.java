package dev.bluebell.softnic.fabric;

import java.util.concurrent.TimeUnit;

/**
 * The rate of one sender by DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA
 * Deployments", SIGCOMM 2015, section 3 and figure 7), with the parameters of that paper: a
 * notification of congestion lowers it, and time and sent bytes raise it again. Pure logic: callers
 * pass the time. Rates are bits per second, times nanoseconds. Owned by the thread that runs the
 * engine.
 */
final class Dcqcn {
  /** The rate of the port: 4x NDR. */
  static final double LINE_RATE = 400e9;

  /** The lowest rate, as on a ConnectX (rpg_min_rate); the paper defines none. */
  static final double LEAST_RATE = 1e6;

  /** Weight of a notification in the estimate of congestion: g. */
  static final double GAIN = 1.0 / 256;

  /** A time without a notification after which the estimate decreases: K. */
  static final long ESTIMATE_NANOS = TimeUnit.MICROSECONDS.toNanos(55);

  /** A time after which the rate increases. */
  static final long STAGE_NANOS = TimeUnit.MICROSECONDS.toNanos(55);

  /** Sent bytes after which the rate increases: B. */
  static final long STAGE_BYTES = 10_000_000;

  /** Increases that only recover the rate lost to the last notification: F. */
  static final int RECOVERIES = 5;

  /** The amount that additive increase adds to the target. */
  static final double ADDED_RATE = 40e6;

  /** The same for hyper increase, as on a ConnectX (rpg_hai_rate); the paper gives no value. */
  static final double HYPER_RATE = 50e6;

  private static final double BITS_NANOS = Byte.SIZE * 1e9;

  // True from a notification until the rate is that of the port again.
  private boolean limited;

  private double rate = LINE_RATE;
  private double target = LINE_RATE;

  // Alpha.
  private double estimate = 1;

  private int stagesByTime;
  private int stagesByBytes;
  private long bytes;
  private long stageAt;
  private long estimateAt;

  /** The peer notifies the sender of congestion. */
  void cut(long now) {
    advance(now);
    target = rate;
    rate = Math.max(LEAST_RATE, rate * (1 - estimate / 2));
    estimate = (1 - GAIN) * estimate + GAIN;
    stagesByTime = 0;
    stagesByBytes = 0;
    bytes = 0;
    stageAt = now + STAGE_NANOS;
    estimateAt = now + ESTIMATE_NANOS;
    limited = true;
  }

  /** Advances to a time. Every stage raises the rate, so the number of stages is bounded. */
  void advance(long now) {
    while (limited && Math.min(stageAt, estimateAt) <= now) {
      if (estimateAt <= stageAt) {
        estimate *= 1 - GAIN;
        estimateAt += ESTIMATE_NANOS;
      } else {
        stageAt += STAGE_NANOS;
        increase();
        stagesByTime++;
      }
    }
  }

  /** Records that bytes were sent. */
  void sent(int sentBytes) {
    bytes += sentBytes;
    while (limited && bytes >= STAGE_BYTES) {
      bytes -= STAGE_BYTES;
      increase();
      stagesByBytes++;
    }
  }

  private void increase() {
    if (Math.max(stagesByTime, stagesByBytes) >= RECOVERIES) {
      int beyond = Math.min(stagesByTime, stagesByBytes) - RECOVERIES;
      double added = beyond > 0 ? beyond * HYPER_RATE : ADDED_RATE;
      target = Math.min(LINE_RATE, target + added);
    }
    rate = (rate + target) / 2;
    if (rate > LINE_RATE - LEAST_RATE) {
      // As in QCN, a sender that reaches the rate of the port has no limit, and starts afresh.
      limited = false;
      rate = LINE_RATE;
      estimate = 1;
    }
  }

  /** True when there is a limit below the rate of the port. */
  boolean isLimited() {
    return limited;
  }

  /** Bits per second. */
  double rate() {
    return rate;
  }

  /** The rate that the next increases lead to, bits per second. */
  double target() {
    return target;
  }

  /** How long bytes take at the current rate. */
  long nanos(int sentBytes) {
    return (long) (sentBytes * BITS_NANOS / rate);
  }
}
