package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.softnic.queue.SendQueue;
import java.util.Arrays;

/**
 * The fetched WQEs of a send queue with streams. They complete in any order; their WQEBBs are
 * retired in the order of the ring. Owned by one initiator.
 */
final class StreamWindow {
  private final SendQueue sendQueue;

  // By the index of each WQE.
  private final byte[] wqebbs = new byte[SendQueue.WINDOW];
  private final int[] streams = new int[SendQueue.WINDOW];
  private final boolean[] complete = new boolean[SendQueue.WINDOW];
  private int oldest;

  StreamWindow(SendQueue sendQueue) {
    this.sendQueue = sendQueue;
  }

  /** Restarts at the next index of the ring. */
  void reset() {
    Arrays.fill(complete, false);
    oldest = sendQueue.nextIndex();
  }

  /** True when everything that was fetched is complete. */
  boolean isEmpty() {
    return oldest == sendQueue.nextIndex();
  }

  /** Adds the WQE at an index, the last one fetched, for a stream. */
  void add(int index, int stream) {
    wqebbs[slot(index)] = (byte) (sendQueue.nextIndex() - index);
    streams[slot(index)] = stream;
  }

  /** Index of the oldest incomplete WQE; that of the next one when all are complete. */
  int oldest() {
    return oldest;
  }

  /** Index of the WQE behind the one at an index. */
  int after(int index) {
    return index + wqebbs[slot(index)] & 0xffff;
  }

  /** The stream of the WQE at an index. */
  int stream(int index) {
    return streams[slot(index)];
  }

  /** Records that a WQE is complete. */
  void retire(int index) {
    complete[slot(index)] = true;
    while (complete[slot(oldest)]) {
      complete[slot(oldest)] = false;
      sendQueue.retire(wqebbs[slot(oldest)]);
      oldest = after(oldest);
    }
  }

  private static int slot(int index) {
    return index & SendQueue.WINDOW - 1;
  }
}
