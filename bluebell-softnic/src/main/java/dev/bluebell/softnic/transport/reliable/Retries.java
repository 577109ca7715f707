package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTimers;
import dev.bluebell.hca.structure.View;
import java.util.concurrent.TimeUnit;

/**
 * The timers and retry counters of a requester: the ACK timeout, the RNR delay of the receiver, and
 * the two counts of retries. Times are nanoseconds of the device's clock. Owned by the thread that
 * runs the engine.
 */
final class Retries {
  private static final int FOREVER = 7;
  private static final long NEVER = Long.MAX_VALUE;

  /** Time after which a wait without end is reported. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private int retryCount;
  private int left;
  private int rnrRetry;
  private int rnrLeft;

  /** RNR NAKs since something was last acknowledged. */
  private int rnrNaks;

  private long timeout;

  // Time until the requester checks for a response: the ACK timeout. For a queue pair without one,
  // the time after which the wait is reported, and then 0, because nothing is left to do.
  private long patience;
  private long ackDeadline = NEVER;

  // The deadline, however often it was put off.
  private long due = NEVER;

  private long resumeAt = NEVER;

  /** Since when the receiver has not been ready; {@link #NEVER} when it was ready last time. */
  private long notReadySince = NEVER;

  private boolean toldStuck;

  /** Stops the clocks. */
  void reset() {
    ackDeadline = NEVER;
    resumeAt = NEVER;
    notReadySince = NEVER;
  }

  /** Applies the attributes that the transition to RTS sets. */
  void start(View qpc, int timeoutCode) {
    retryCount = qpc.getInt(Qpc.RETRY_COUNT);
    rnrRetry = qpc.getInt(Qpc.RNR_RETRY);
    toldStuck = false;
    timeout = QpTimers.ackNanos(timeoutCode);
    patience = timeout == 0 ? STUCK_NANOS : timeout;
    restore();
  }

  private void restore() {
    left = retryCount;
    rnrLeft = rnrRetry;
    rnrNaks = 0;
    notReadySince = NEVER;
  }

  /**
   * Handles an acknowledgement: restores all retries and restarts the timeout.
   *
   * @param waiting whether something else is still to be acknowledged
   * @return true when a deadline exists now and did not before
   */
  boolean progress(boolean waiting, long now) {
    boolean wasOff = ackDeadline == NEVER;
    restore();
    ackDeadline = waiting && patience != 0 ? now + patience : NEVER;
    due = ackDeadline;
    return wasOff && ackDeadline != NEVER;
  }

  /**
   * Starts the timeout after a packet was sent; false when it is running already or there is none.
   */
  boolean await(long now) {
    if (patience == 0 || ackDeadline != NEVER) {
      return false;
    }
    putOff(now);
    due = ackDeadline;
    return true;
  }

  /** Starts the timeout again, because the response may have come in time. */
  void putOff(long now) {
    ackDeadline = now + patience;
  }

  /** When the timeout would have expired if it was not put off. */
  long due() {
    return due;
  }

  /** Takes one retry; false when none is left. */
  boolean take() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Counts an RNR NAK; returns how many came since something was last acknowledged, unsigned. */
  int noteRnr() {
    return ++rnrNaks;
  }

  /** Takes one retry after an RNR NAK; false when none is left. */
  boolean takeRnr() {
    return rnrRetry == FOREVER || rnrLeft-- > 0;
  }

  /**
   * Records that the receiver is not ready; true once, for a requester with endless retries that
   * has tried for {@link #STUCK_NANOS}.
   */
  boolean isStuck(long now) {
    notReadySince = Math.min(notReadySince, now);
    boolean stuck = !toldStuck && rnrRetry == FOREVER && now - notReadySince >= STUCK_NANOS;
    toldStuck |= stuck;
    return stuck;
  }

  /** Pauses until the receiver may be ready. Nothing is sent meanwhile, so no timeout runs. */
  void pause(long until) {
    ackDeadline = NEVER;
    resumeAt = until;
  }

  /** True while the requester waits for the receiver. */
  boolean isPaused() {
    return resumeAt != NEVER;
  }

  /** Earliest time at which a timer expires; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return Math.min(ackDeadline, resumeAt);
  }

  /**
   * True for a requester without an ACK timeout: its endless wait is to be reported now, only once.
   */
  boolean takeSilence() {
    if (timeout != 0) {
      return false;
    }
    patience = 0;
    return true;
  }

  /** Ends the pause when its time has come. */
  void resume(long now) {
    if (now >= resumeAt) {
      resumeAt = NEVER;
    }
  }

  /** True once when the ACK timeout has expired. */
  boolean takeTimeout(long now) {
    if (now < ackDeadline) {
      return false;
    }
    ackDeadline = NEVER;
    return true;
  }

  /** The part of a sentence about RNR NAKs between timeouts; empty when there were none. */
  String meanwhile() {
    return rnrNaks == 0
        ? ""
        : ", which RNR NAKs do not restore: %d came meanwhile, because the receiver had no receive WQE posted"
            .formatted(rnrNaks);
  }

  int retryCount() {
    return retryCount;
  }

  int rnrRetry() {
    return rnrRetry;
  }

  /** Describes the retries that are left. */
  @Override
  public String toString() {
    return timeout == 0
        ? "no ACK timeout, so forever"
        : "%d of %d retries left and an ACK timeout of %,d µs"
            .formatted(left, retryCount, timeout / 1_000);
  }

  /** The ACK timeout; 0 for none. */
  long timeout() {
    return timeout;
  }
}
