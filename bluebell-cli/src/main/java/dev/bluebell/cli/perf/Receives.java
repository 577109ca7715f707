package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;

/** The receiving side of a flow: posts receives ahead of the sender, and checks what they tell. */
abstract class Receives {
  /** Receives that share a doorbell. */
  private static final int BATCH = 32;

  private final ReceiveQueue queue;
  private final long tag;
  private final int size;
  private final int batch;

  private int target;
  private int posted;
  private int received;
  private int wrong;
  private int expectedImmediate;

  /**
   * Describes the receives of a flow.
   *
   * @param size byte count of each
   */
  Receives(ReceiveQueue queue, int number, int size) {
    this.queue = queue;
    this.size = size;
    tag = (long) number << 32;
    batch = Math.min(BATCH, queue.size() / 2);
  }

  final void prepare(int count, long first) {
    target = count;
    posted = 0;
    received = 0;
    wrong = 0;
    expectedImmediate = (int) first;
    begin();
    advance();
  }

  final void advance() {
    int room = Math.min(queue.freeRequests(), queue.size() + received - posted);
    room = Math.min(room, target - posted);
    if (room < batch && room != target - posted || room == 0) {
      return;
    }
    for (int i = 0; i < room; i++) {
      post(posted + i, tag | posted + i);
    }
    queue.ringDoorbell();
    posted += room;
  }

  final void received(Completion completion) {
    if (!isMessage(completion)) {
      return;
    }
    wrong |= place(completion.id(), received);
    wrong |= completion.byteCount() ^ size;
    wrong |= difference(completion, expectedImmediate);
    received++;
    expectedImmediate++;
  }

  /** Messages that may leave. */
  int posted() {
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

  final ReceiveQueue queue() {
    return queue;
  }

  /**
   * Takes where a message went; 0 when it may go there.
   *
   * @param id of the receive request that took it
   * @param index of the message
   */
  int place(long id, int index) {
    return (int) id ^ index;
  }

  /** Prepares for a round. */
  void begin() {}

  /** False of completions that tell something else than that a message is there. */
  boolean isMessage(Completion completion) {
    return true;
  }

  abstract void post(int index, long id);

  /**
   * 0 when the completion tells what it must: of an immediate, nothing.
   *
   * @param expected the immediate of the message, if its kind has one
   */
  int difference(Completion completion, int expected) {
    return completion.hasImmediate() ? 1 : 0;
  }
}
