package dev.bluebell.cli.demo;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RcQueuePair;

/** One end of a reliable connection: its queue pair, its completion queue and its memory. */
final class Side extends Place {
  private final RcQueuePair queuePair;

  Side(RcQueuePair queuePair, CompletionQueue completions, MemoryRegion memory) {
    super(completions, memory);
    this.queuePair = queuePair;
  }

  RcQueuePair queuePair() {
    return queuePair;
  }

  /** Posts a receive for one message at an offset of the memory. */
  void postReceive(long id, long offset, int length) {
    queuePair.receive().scatter(address(offset), length, lkey()).post(id);
    queuePair.ringReceiveDoorbell();
  }
}
