package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTimers;
import dev.bluebell.hca.structure.View;
import java.util.concurrent.TimeUnit;

/**
 * How long a requester waits and how often it tries again: the ACK timeout, the receiver's time,
 * and the two counts of retries. Times are nanoseconds of the device's clock. Owned by the thread
 * that runs the engine.
 */
final class Retries {
  private static final int FOREVER = 7;
  private static final long NEVER = Long.MAX_VALUE;

  /** Nobody who has receives posted keeps a sender waiting for so long. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private int retryCount;
  private int left;
  private int rnrRetry;
  private int rnrLeft;

  /** Of the receiver, since something was acknowledged. */
  private int rnrNaks;

  private long timeout;

  // Until the requester looks whether an answer came: the ACK timeout; for a queue pair without
  // one, a time after which the user is told, and then 0, for nothing more to do.
  private long patience;
  private long ackDeadline = NEVER;
  private long resumeAt = NEVER;

  /** Since when the receiver has not been ready; {@link #NEVER} when it was the last time. */
  private long notReadySince = NEVER;

  private boolean toldStuck;

  /** Stops the clocks. */
  void reset() {
    ackDeadline = NEVER;
    resumeAt = NEVER;
    notReadySince = NEVER;
  }

  /** Takes the attributes that the transition to RTS sets. */
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
   * Something was acknowledged: all retries are there again, and the timeout starts anew.
   *
   * @param waiting whether something else is still to be acknowledged
   * @return true when a deadline exists now and did not before
   */
  boolean progress(boolean waiting, long now) {
    boolean wasOff = ackDeadline == NEVER;
    restore();
    ackDeadline = waiting && patience != 0 ? now + patience : NEVER;
    return wasOff && ackDeadline != NEVER;
  }

  /** Something was sent: starts the timeout unless it runs; true when it did not. */
  boolean await(long now) {
    if (patience == 0 || ackDeadline != NEVER) {
      return false;
    }
    ackDeadline = now + patience;
    return true;
  }

  /** Takes one retry; false when none is left. */
  boolean take() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Takes one retry after an RNR NAK; false when none is left. */
  boolean takeRnr() {
    rnrNaks++;
    return rnrRetry == FOREVER || rnrLeft-- > 0;
  }

  /**
   * Notes that the receiver is not ready: true once for a requester that will try for ever, and has
   * for long.
   */
  boolean isStuck(long now) {
    notReadySince = Math.min(notReadySince, now);
    boolean stuck = !toldStuck && rnrRetry == FOREVER && now - notReadySince >= STUCK_NANOS;
    toldStuck |= stuck;
    return stuck;
  }

  /** Waits for the receiver; nothing is sent meanwhile, so no timeout runs. */
  void pause(long until) {
    ackDeadline = NEVER;
    resumeAt = until;
  }

  /** True while the requester waits for the receiver. */
  boolean isPaused() {
    return resumeAt != NEVER;
  }

  /** Earliest time at which one of the clocks has run; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return Math.min(ackDeadline, resumeAt);
  }

  /** True for a requester that waits for ever, and whose user is told so now, for the only time. */
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

  /** True once when the ACK timeout has come. */
  boolean takeTimeout(long now) {
    if (now < ackDeadline) {
      return false;
    }
    ackDeadline = NEVER;
    return true;
  }

  /** The part of a sentence about RNR NAKs among the timeouts; empty when none came. */
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

  /** How often it may still try. */
  @Override
  public String toString() {
    return timeout == 0
        ? "no ACK timeout, so for ever"
        : "%d of %d retries left and an ACK timeout of %,d µs"
            .formatted(left, retryCount, timeout / 1_000);
  }

  /** The ACK timeout; 0 for none. */
  long timeout() {
    return timeout;
  }
}
