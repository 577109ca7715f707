package dev.bluebell.softnic.option;

import dev.bluebell.hca.cqe.Syndrome;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One injected fault and its condition: the n-th thing of its kind at each queue, or a share of
 * them.
 *
 * @param kind the fault
 * @param syndrome of a request that fails, see {@link Syndrome}; otherwise 0
 * @param nth the one that it happens to, counted from 1 at each queue; 0 to use {@code share}
 * @param share the share that it happens to, 0 … 1; used when {@code nth} is 0
 * @param delayNanos the duration, for delays
 * @param queue number of the queue pair or completion queue; −1 for all; −2 for the first one that
 *     meets it, which it strikes once
 */
public record FaultRule(
    FaultKind kind, int syndrome, long nth, double share, long delayNanos, int queue) {
  /** In place of a queue number: all queues. */
  public static final int EVERY_QUEUE = -1;

  /** In place of a queue number: the queue that meets the fault first. No other one meets it. */
  public static final int ONCE = -2;

  private static final Pattern TEXT =
      Pattern.compile(
          "([a-z-]+)(?:@(?:([1-9][0-9]{0,17})|([0-9]{1,3}(?:\\.[0-9]{1,9})?)%))?(?:/([0-9]{1,9}))?(?::(0x[0-9a-f]{1,6}|[0-9]{1,8}|once))?");
  private static final int SYNDROMES = 0x100;
  private static final int MAX_QUEUE = 0xffffff;
  private static final String HEX = "0x";
  private static final String ONE_TIME = "once";
  private static final long NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  /**
   * Reads a rule such as {@code remote-access@3}, {@code drop-cqe@1%} or {@code
   * delay-doorbell@2/500:0x41}.
   *
   * @throws IllegalArgumentException when it is not a valid rule
   */
  static FaultRule parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw wrong(text, "it must be KIND[@N|@PERCENT%][/MICROSECONDS][:QUEUE|:once]");
    }
    FaultKind kind = kind(parts.group(1));
    int syndrome = kind == FaultKind.REQUEST ? syndrome(parts.group(1)) : 0;
    if (kind == FaultKind.REQUEST && syndrome == 0) {
      throw wrong(
          text,
          "there is no fault '%s': it must be a syndrome (local-length, local-qp-op, local-prot, mw-bind, bad-resp, local-access, remote-inval-req, remote-access, remote-op, transport-retry-exc, rnr-retry-exc, remote-aborted), drop-doorbell, delay-doorbell, drop-cqe, delay-cqe, overrun, qp-error, rnr, port-down, port-reset or device"
              .formatted(parts.group(1)));
    }
    double share =
        parts.group(3) == null ? 0 : new BigDecimal(parts.group(3)).movePointLeft(2).doubleValue();
    if (share > 1) {
      throw wrong(text, "a share is at most 100%");
    }
    if (kind.isDelay() != (parts.group(4) != null)) {
      throw wrong(
          text, "delays, rnr and port-reset need /MICROSECONDS; other faults do not take it");
    }
    if (kind.isOfDevice() && parts.group(5) != null) {
      throw wrong(text, "it affects the whole device, so it takes no :QUEUE or :once");
    }
    long nth =
        parts.group(2) == null ? parts.group(3) == null ? 1 : 0 : Long.parseLong(parts.group(2));
    long delay = parts.group(4) == null ? 0 : Long.parseLong(parts.group(4)) * NANOS_PER_MICRO;
    if (kind == FaultKind.PORT_RESET && delay == 0) {
      throw wrong(text, "the port is down for at least 1 µs; port-down never comes up again");
    }
    int queue = parts.group(5) == null ? EVERY_QUEUE : number(parts.group(5));
    if (queue > MAX_QUEUE) {
      throw wrong(text, "a queue number has at most 24 bits");
    }
    return new FaultRule(kind, syndrome, nth, share, delay, queue);
  }

  private static int number(String text) {
    if (text.equals(ONE_TIME)) {
      return ONCE;
    }
    return text.startsWith(HEX)
        ? Integer.parseInt(text.substring(HEX.length()), 16)
        : Integer.parseInt(text);
  }

  private static IllegalArgumentException wrong(String text, String why) {
    return new IllegalArgumentException("fail=%s of device soft: %s".formatted(text, why));
  }

  private static FaultKind kind(String word) {
    for (FaultKind kind : FaultKind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    return FaultKind.REQUEST;
  }

  private static int syndrome(String word) {
    for (int syndrome = 1; syndrome < SYNDROMES; syndrome++) {
      if (syndrome != Syndrome.WR_FLUSH_ERR && word(syndrome).equals(word)) {
        return syndrome;
      }
    }
    return 0;
  }

  private static String word(int syndrome) {
    return Syndrome.name(syndrome)
        .replaceFirst("_ERR$", "")
        .toLowerCase(Locale.ROOT)
        .replace('_', '-');
  }

  /** The rule in the syntax of {@code fail=}. */
  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(kind == FaultKind.REQUEST ? word(syndrome) : kind.word());
    text.append('@').append(nth > 0 ? Long.toString(nth) : LossOptions.percent(share));
    if (kind.isDelay()) {
      text.append('/').append(delayNanos / NANOS_PER_MICRO);
    }
    if (queue == ONCE) {
      text.append(':').append(ONE_TIME);
    } else if (queue != EVERY_QUEUE) {
      text.append(":0x").append(Integer.toHexString(queue));
    }
    return text.toString();
  }
}
