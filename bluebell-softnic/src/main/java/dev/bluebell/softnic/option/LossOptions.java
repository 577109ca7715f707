package dev.bluebell.softnic.option;

import java.math.BigDecimal;
import java.util.concurrent.TimeUnit;

/**
 * The options of a lossy fabric. Shares are 0 … 1, of all packets.
 *
 * @param loss share of packets that never arrive
 * @param reorder share of packets that are held back, so that later packets overtake them
 * @param duplicate share of packets that arrive twice
 * @param delayNanos longest transit time of a packet, in nanoseconds; held-back packets take longer
 * @param seed of the random that decides: equal packets at equal times get equal results
 */
public record LossOptions(
    double loss, double reorder, double duplicate, long delayNanos, long seed) {

  /** Checks the ranges. */
  public LossOptions {
    requireShare("loss", loss);
    requireShare("reorder", reorder);
    requireShare("duplicate", duplicate);
    if (delayNanos < 0) {
      throw new IllegalArgumentException(
          "delay %d ns: a packet can't arrive before it is sent".formatted(delayNanos));
    }
  }

  private static void requireShare(String what, double share) {
    // Written so that NaN is refused.
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "%s %s: it must be a share of all packets, 0 to 1".formatted(what, share));
    }
  }

  /** A fabric that carries each packet once, at once and in order. */
  public static LossOptions none(long seed) {
    return new LossOptions(0, 0, 0, 0, seed);
  }

  public LossOptions withLoss(double share) {
    return new LossOptions(share, reorder, duplicate, delayNanos, seed);
  }

  public LossOptions withReorder(double share) {
    return new LossOptions(loss, share, duplicate, delayNanos, seed);
  }

  public LossOptions withDuplicate(double share) {
    return new LossOptions(loss, reorder, share, delayNanos, seed);
  }

  public LossOptions withDelayNanos(long nanos) {
    return new LossOptions(loss, reorder, duplicate, nanos, seed);
  }

  public LossOptions withSeed(long newSeed) {
    return new LossOptions(loss, reorder, duplicate, delayNanos, newSeed);
  }

  /** The options in the syntax of the device {@code soft}. */
  @Override
  public String toString() {
    return "loss=%s,reorder=%s,duplicate=%s,delay=%d,seed=%d"
        .formatted(
            percent(loss),
            percent(reorder),
            percent(duplicate),
            TimeUnit.NANOSECONDS.toMicros(delayNanos),
            seed);
  }

  static String percent(double share) {
    return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
  }
}
