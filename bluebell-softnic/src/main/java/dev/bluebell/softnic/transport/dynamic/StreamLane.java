package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.operation.WqeSource;

/**
 * The fetched WQEs of one stream of an initiator that have not begun, in the order of the ring.
 * Owned by the thread that runs the engine.
 */
final class StreamLane implements WqeSource {
  private final SendQueue sendQueue;
  private final StreamWindow window;
  private final int stream;

  // One WQE has at least one WQEBB, so the snapshot window bounds them.
  private final int[] indexes = new int[SendQueue.WINDOW];
  private int head;
  private int tail;

  StreamLane(SendQueue sendQueue, StreamWindow window, int stream) {
    this.sendQueue = sendQueue;
    this.window = window;
    this.stream = stream;
  }

  void reset() {
    head = tail;
  }

  void add(int index) {
    window.add(index, stream);
    indexes[tail++ & SendQueue.WINDOW - 1] = index;
  }

  private boolean isEmpty() {
    return head == tail;
  }

  @Override
  public int nextIndex() {
    return indexes[head & SendQueue.WINDOW - 1];
  }

  /** Takes the next WQE, which was fetched from the ring before it was added. */
  @Override
  public SendQueue.Fetch fetch(Fault fault) {
    if (isEmpty()) {
      return SendQueue.Fetch.NOTHING;
    }
    head++;
    return SendQueue.Fetch.WQE;
  }

  @Override
  public void retire(SendWqe wqe) {
    window.retire(wqe.index());
  }

  @Override
  public boolean hasPosted() {
    return !isEmpty();
  }

  @Override
  public long secondWord() {
    return Memory.getLong(sendQueue.snapshot(nextIndex()) + Long.BYTES);
  }

  @Override
  public long skip() {
    int index = nextIndex();
    long first = Memory.getLong(sendQueue.snapshot(index));
    head++;
    window.retire(index);
    return first;
  }

  /**
   * Retires all of it: WQEBBs return to the ring in order, so those of other streams wait for
   * these.
   */
  @Override
  public int abandon() {
    int done = 0;
    while (!isEmpty()) {
      long unused = skip();
      done++;
    }
    return done;
  }
}
