package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.SendQueue;
import java.util.Arrays;

/**
 * The fetched WQEs of a send queue with streams, which complete in any order: gives their WQEBBs
 * back in the order of the ring. Owned by one initiator.
 */
final class StreamWindow {
  private final SendQueue sendQueue;

  // WQEBBs of each WQE that is complete, by its index; 0 for the others.
  private final byte[] complete = new byte[SendQueue.WINDOW];
  private int oldest;

  StreamWindow(SendQueue sendQueue) {
    this.sendQueue = sendQueue;
  }

  /** Starts again where the ring is. */
  void reset() {
    Arrays.fill(complete, (byte) 0);
    oldest = sendQueue.nextIndex();
  }

  /** True when everything that was fetched is complete. */
  boolean isEmpty() {
    return oldest == sendQueue.nextIndex();
  }

  /** Takes note that a WQE is complete. */
  void retire(int index, int wqebbs) {
    complete[slot(index)] = (byte) wqebbs;
    for (int next = complete[slot(oldest)]; next != 0; next = complete[slot(oldest)]) {
      complete[slot(oldest)] = 0;
      oldest = oldest + next & 0xffff;
      sendQueue.retire(next);
    }
  }

  private static int slot(int index) {
    return index & SendQueue.WINDOW - 1;
  }
}
