package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.roce.packet.Psn;

/**
 * The PSN window of a requester: the next PSN to assign, the end of the sent ones, and the oldest
 * unacknowledged one. Owned by the thread that runs the engine.
 */
final class PsnWindow {
  /**
   * Most PSNs that may be assigned and unacknowledged: the specification's 2^23, less one, so that
   * of any two of them the newer one is known.
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

  /** The oldest unacknowledged PSN. */
  int unacked() {
    return unacked;
  }

  /** True when so many more PSNs can be assigned. */
  boolean hasRoom(int packets) {
    return (next - unacked & Psn.MASK) + packets <= MOST;
  }

  /** Assigns PSNs; the first is {@link #next} before the call. */
  void give(int packets) {
    next = Psn.add(next, packets);
  }

  /** Records that everything before a PSN was sent, possibly again. */
  void noteSent(int end) {
    if (Psn.distance(sent, end) > 0) {
      sent = end;
    }
  }

  /** Records requests that were assigned and sent at once, because they cut through. */
  void pass(int end) {
    next = end;
    sent = end;
  }

  void acknowledgeBefore(int psn) {
    unacked = psn;
  }

  /** True when everything sent is acknowledged. */
  boolean isAllAcknowledged() {
    return sent == unacked;
  }

  /** True when a PSN was sent and is not acknowledged yet. */
  boolean isAwaiting(int psn) {
    return Psn.distance(psn, sent) > 0 && Psn.distance(unacked, psn) >= 0;
  }
}
