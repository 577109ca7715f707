package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.RcQueuePair;

/** The receiving side of a flow: posts receives ahead of the sender, and checks what they tell. */
abstract class Receives {
  /** Receives that share a doorbell. */
  private static final int BATCH = 32;

  private final RcQueuePair queuePair;
  private final long tag;
  private final int size;
  private final int batch;

  private int target;
  private int posted;
  private int received;
  private int wrong;
  private int expectedImmediate;

  Receives(RcQueuePair queuePair, int number, int size) {
    this.queuePair = queuePair;
    this.size = size;
    tag = (long) number << 32;
    batch = Math.min(BATCH, queuePair.receiveQueueRequests() / 2);
  }

  final void prepare(int count, long first) {
    target = count;
    posted = 0;
    received = 0;
    wrong = 0;
    expectedImmediate = (int) first;
    advance();
  }

  final void advance() {
    int room = Math.min(queuePair.freeReceives(), target - posted);
    if (room < batch && room != target - posted || room == 0) {
      return;
    }
    for (int i = 0; i < room; i++) {
      post(posted + i, tag | posted + i);
    }
    queuePair.ringReceiveDoorbell();
    posted += room;
  }

  final void received(Completion completion) {
    wrong |= (int) completion.id() ^ received;
    wrong |= completion.byteCount() ^ size;
    wrong |= difference(completion, expectedImmediate);
    received++;
    expectedImmediate++;
  }

  final int posted() {
    return posted;
  }

  final int received() {
    return received;
  }

  final boolean isDone() {
    return received == target;
  }

  final boolean isGood() {
    return wrong == 0;
  }

  final RcQueuePair queuePair() {
    return queuePair;
  }

  abstract void post(int index, long id);

  /** 0 when the completion tells what it must for the message with this immediate. */
  abstract int difference(Completion completion, int expected);
}
