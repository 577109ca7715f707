package dev.bluebell.test;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.verbs.CompletionStatus;
import java.time.Duration;

/**
 * Something that goes wrong on purpose on a device, and when: by default to the first of its kind
 * at each queue. See {@link TestDevice.Builder#failing}.
 */
public final class Fault {
  private static final int SYNDROMES = 0x100;

  private final FaultRule rule;

  private Fault(FaultRule rule) {
    this.rule = rule;
  }

  private static Fault of(FaultKind kind, int syndrome, Duration delay) {
    return new Fault(new FaultRule(kind, syndrome, 1, 0, delay.toNanos(), FaultRule.EVERY_QUEUE));
  }

  /**
   * A send request fails.
   *
   * @param status of its completion, which a device gives to failed requests
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

  /** A send doorbell is never seen; the next one of its queue makes up for it. */
  public static Fault lostDoorbell() {
    return of(FaultKind.DROP_DOORBELL, 0, Duration.ZERO);
  }

  /** A send doorbell is seen late. */
  public static Fault lateDoorbell(Duration delay) {
    return of(FaultKind.DELAY_DOORBELL, 0, delay);
  }

  /** A completion is never written. */
  public static Fault lostCompletion() {
    return of(FaultKind.DROP_CQE, 0, Duration.ZERO);
  }

  /** A completion, and those behind it, come late. */
  public static Fault lateCompletion(Duration delay) {
    return of(FaultKind.DELAY_CQE, 0, delay);
  }

  /** A completion queue overruns. */
  public static Fault overrun() {
    return of(FaultKind.OVERRUN, 0, Duration.ZERO);
  }

  /**
   * A queue pair goes to the error state when a send request begins: that request and those behind
   * it are flushed.
   */
  public static Fault queuePairError() {
    return of(FaultKind.QP_ERROR, 0, Duration.ZERO);
  }

  /**
   * A queue pair answers messages for a time as if it had no receive posted; counted are the
   * messages that arrive there. RC, XRC and DC have it.
   */
  public static Fault receiverNotReady(Duration time) {
    return of(FaultKind.RNR, 0, time);
  }

  /** The port goes down; counted are all requests of the device. */
  public static Fault portDown() {
    return of(FaultKind.PORT_DOWN, 0, Duration.ZERO);
  }

  /** The device dies; counted are all requests of it. */
  public static Fault deviceDies() {
    return of(FaultKind.DEVICE, 0, Duration.ZERO);
  }

  /**
   * The same, to another of its kind.
   *
   * @param nth from 1
   */
  public Fault at(long nth) {
    if (nth < 1) {
      throw new IllegalArgumentException("faults are counted from 1, not " + nth);
    }
    return new Fault(
        new FaultRule(rule.kind(), rule.syndrome(), nth, 0, rule.delayNanos(), rule.queue()));
  }

  /**
   * The same, to a share of its kind, as the device's seed draws them.
   *
   * @param share 0 … 1
   */
  public Fault share(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a share is 0 to 1, not " + share);
    }
    return new Fault(
        new FaultRule(rule.kind(), rule.syndrome(), 0, share, rule.delayNanos(), rule.queue()));
  }

  FaultRule rule() {
    return rule;
  }

  /** As the option {@code fail=} of the device has it. */
  @Override
  public String toString() {
    return rule.toString();
  }
}
