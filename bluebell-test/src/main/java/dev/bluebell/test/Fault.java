package dev.bluebell.test;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.verbs.CompletionStatus;
import java.time.Duration;

/**
 * A fault to inject into a device, and its time: by default the first opportunity on each queue.
 * See {@link TestDevice.Builder#failing}.
 */
public final class Fault {
  private static final int SYNDROMES = 0x100;

  private final FaultRule rule;

  private Fault(FaultRule rule) {
    this.rule = rule;
  }

  private static Fault of(FaultKind kind, int syndrome, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("the time of a fault must be at least 0, not " + delay);
    }
    return new Fault(new FaultRule(kind, syndrome, 1, 0, delay.toNanos(), FaultRule.EVERY_QUEUE));
  }

  /**
   * A send request fails.
   *
   * @param status status of its completion, one that devices report for failed requests
   */
  public static Fault request(CompletionStatus status) {
    for (int syndrome = 1; syndrome < SYNDROMES; syndrome++) {
      if (syndrome != Syndrome.WR_FLUSH_ERR
          && status != CompletionStatus.GENERAL_ERROR
          && CompletionStatus.ofSyndrome(syndrome) == status) {
        return of(FaultKind.REQUEST, syndrome, Duration.ZERO);
      }
    }
    throw new IllegalArgumentException("no request fails with " + status);
  }

  /** The device misses a send doorbell; the next doorbell of the queue makes up for it. */
  public static Fault lostDoorbell() {
    return of(FaultKind.DROP_DOORBELL, 0, Duration.ZERO);
  }

  /**
   * The device sees a send doorbell late.
   *
   * @param delay at least 0
   */
  public static Fault lateDoorbell(Duration delay) {
    return of(FaultKind.DELAY_DOORBELL, 0, delay);
  }

  /** The device never writes a completion. */
  public static Fault lostCompletion() {
    return of(FaultKind.DROP_CQE, 0, Duration.ZERO);
  }

  /**
   * The device writes a completion, and those after it, late.
   *
   * @param delay at least 0
   */
  public static Fault lateCompletion(Duration delay) {
    return of(FaultKind.DELAY_CQE, 0, delay);
  }

  /** A completion queue overruns. */
  public static Fault overrun() {
    return of(FaultKind.OVERRUN, 0, Duration.ZERO);
  }

  /**
   * A queue pair moves to the error state when a send request starts: that request and those after
   * it are flushed.
   */
  public static Fault queuePairError() {
    return of(FaultKind.QP_ERROR, 0, Duration.ZERO);
  }

  /**
   * For a time, a queue pair answers messages as if it had no receive posted. Counts the messages
   * that arrive there. For RC, XRC and DC.
   *
   * @param time at least 0
   */
  public static Fault receiverNotReady(Duration time) {
    return of(FaultKind.RNR, 0, time);
  }

  /** The port goes down. Counts all requests of the device. */
  public static Fault portDown() {
    return of(FaultKind.PORT_DOWN, 0, Duration.ZERO);
  }

  /**
   * The port goes down, and comes up again. Counts all requests of the device.
   *
   * @param time until it comes up, at least 1 µs
   */
  public static Fault portReset(Duration time) {
    if (time.compareTo(Duration.ofNanos(1_000)) < 0) {
      throw new IllegalArgumentException(
          "the port is down for at least 1 µs, not %s; portDown() never comes up again"
              .formatted(time));
    }
    return of(FaultKind.PORT_RESET, 0, time);
  }

  /**
   * The device dies. Counts all requests of the device. It reports the event {@code DEVICE_FATAL},
   * nothing completes any more, and it refuses commands with an {@code HcaException}. Polls find
   * nothing and throw nothing: {@code DeviceLostException} reports that the process of a device
   * ended or a card was removed, which this fault does not imitate.
   */
  public static Fault deviceDies() {
    return of(FaultKind.DEVICE, 0, Duration.ZERO);
  }

  /**
   * The same fault, at another opportunity.
   *
   * @param nth number of the opportunity, from 1
   */
  public Fault at(long nth) {
    if (nth < 1) {
      throw new IllegalArgumentException("the number of a fault must be at least 1, not " + nth);
    }
    return new Fault(
        new FaultRule(rule.kind(), rule.syndrome(), nth, 0, rule.delayNanos(), rule.queue()));
  }

  /**
   * The same fault, at a random share of the opportunities, by the device's seed.
   *
   * @param share 0 … 1
   */
  public Fault share(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a share must be 0 to 1, not " + share);
    }
    return new Fault(
        new FaultRule(rule.kind(), rule.syndrome(), 0, share, rule.delayNanos(), rule.queue()));
  }

  /**
   * The same fault, on the queue that meets it first, and there once; so a queue pair that replaces
   * the failed one works. Faults of completions are drawn one completion ahead: with {@code at(1)},
   * they strike the completion queue that was created first. Faults of the whole device come only
   * once anyway.
   */
  public Fault once() {
    return rule.kind().isOfDevice()
        ? this
        : new Fault(
            new FaultRule(
                rule.kind(),
                rule.syndrome(),
                rule.nth(),
                rule.share(),
                rule.delayNanos(),
                FaultRule.ONCE));
  }

  FaultRule rule() {
    return rule;
  }

  /** In the format of the device's option {@code fail=}. */
  @Override
  public String toString() {
    return rule.toString();
  }
}
