package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.roce.packet.Psn;

/**
 * The PSNs of a requester: those that are given to requests, those that were sent, and those that
 * are acknowledged, in this order. Owned by the thread that runs the engine.
 */
final class PsnWindow {
  /**
   * PSNs that may be given out and not acknowledged: the specification's 2^23, less one, so that of
   * any two of them it is known which is newer.
   */
  static final int MOST = (1 << 23) - 1;

  private int next;
  private int sent;
  private int unacked;

  void start(int psn) {
    next = psn;
    sent = psn;
    unacked = psn;
  }

  /** PSN of the next new request. */
  int next() {
    return next;
  }

  /** PSN behind the newest that was sent. */
  int sent() {
    return sent;
  }

  /** PSN of the oldest that is not acknowledged. */
  int unacked() {
    return unacked;
  }

  /** True when so many PSNs more can be given out. */
  boolean hasRoom(int packets) {
    return (next - unacked & Psn.MASK) + packets <= MOST;
  }

  /** Gives out PSNs; the first of them is {@link #next} before. */
  void give(int packets) {
    next = Psn.add(next, packets);
  }

  /** Takes note that everything before a PSN was sent, maybe again. */
  void noteSent(int end) {
    if (Psn.distance(sent, end) > 0) {
      sent = end;
    }
  }

  /** Takes note of requests that were sent and acknowledged at once. */
  void pass(int end) {
    next = end;
    sent = end;
  }

  void acknowledgeBefore(int psn) {
    unacked = psn;
  }

  /** True when nothing that was sent is unacknowledged. */
  boolean isAllAcknowledged() {
    return sent == unacked;
  }

  /** True for the PSN of a response to something that was sent and is not acknowledged yet. */
  boolean isAwaiting(int psn) {
    return Psn.distance(psn, sent) > 0 && Psn.distance(unacked, psn) >= 0;
  }
}
