package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Completion;
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

  /** Sends the first bytes of the memory, with id 0. */
  void send(int bytes) {
    queuePair.send().gather(region(), 0, bytes).signaled(0);
    queuePair.ringDoorbell();
  }

  /** Rings for all posted requests, and waits for the next completion, which must be a success. */
  Completion ringAndAwait() {
    queuePair.ringDoorbell();
    return await();
  }

  /** Posts a receive for one message at an offset of the memory. */
  void postReceive(long id, long offset, int length) {
    queuePair.receive().scatter(region(), offset, length).post(id);
    queuePair.ringReceiveDoorbell();
  }
}
