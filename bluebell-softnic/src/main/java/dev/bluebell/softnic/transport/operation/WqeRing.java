package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;

/** A source of all WQEs of a send queue, in the order of its ring. */
public final class WqeRing implements WqeSource {
  private final SendQueue queue;

  public WqeRing(SendQueue queue) {
    this.queue = queue;
  }

  @Override
  public int nextIndex() {
    return queue.nextIndex();
  }

  @Override
  public SendQueue.Fetch fetch(Fault fault) {
    return queue.fetch(fault);
  }

  @Override
  public void retire(SendWqe wqe) {
    queue.retire(wqe.wqebbs());
  }

  @Override
  public boolean hasPosted() {
    return queue.pending() != 0;
  }

  @Override
  public long secondWord() {
    return queue.secondWord(queue.nextIndex());
  }

  @Override
  public long skip() {
    return queue.skip();
  }
}
