package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.SendQueue;
import org.jspecify.annotations.Nullable;

/**
 * The fetched WQEs that wait for one stream of an initiator, in the order of the ring. Owned by
 * whoever runs the engine.
 */
final class StreamLane {
  private final StreamWindow window;
  private final int stream;
  private final @Nullable RequestFaults faults;

  // One WQE has at least one WQEBB, so the snapshot window bounds them.
  private final int[] indexes = new int[SendQueue.WINDOW];
  private int head;
  private int tail;

  /**
   * @param faults of the requests of all streams; null when none is injected
   */
  StreamLane(StreamWindow window, int stream, @Nullable RequestFaults faults) {
    this.window = window;
    this.stream = stream;
    this.faults = faults;
  }

  /** Counts the requests of all streams; null when nobody does. */
  @Nullable RequestFaults faults() {
    return faults;
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
