package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.SendQueue;

/**
 * The fetched WQEs that wait for one stream of an initiator, in the order of the ring. Owned by
 * whoever runs the engine.
 */
final class StreamLane {
  private final StreamWindow window;
  private final int stream;

  // One WQE has at least one WQEBB, so the snapshot window bounds them.
  private final int[] indexes = new int[SendQueue.WINDOW];
  private int head;
  private int tail;

  StreamLane(StreamWindow window, int stream) {
    this.window = window;
    this.stream = stream;
  }

  int stream() {
    return stream;
  }

  void reset() {
    head = tail;
  }

  void add(int index) {
    window.add(index, stream);
    indexes[tail++ & SendQueue.WINDOW - 1] = index;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** Index of the WQE that {@link #take} gives; any number when there is none. */
  int next() {
    return indexes[head & SendQueue.WINDOW - 1];
  }

  /** Takes the next WQE. */
  SendQueue.Fetch take() {
    if (isEmpty()) {
      return SendQueue.Fetch.NOTHING;
    }
    drop();
    return SendQueue.Fetch.WQE;
  }

  /** Takes the next WQE, of which there is one. */
  void drop() {
    head++;
  }

  /** Gives the WQEBBs of a WQE back. */
  void retire(int index) {
    window.retire(index);
  }
}
