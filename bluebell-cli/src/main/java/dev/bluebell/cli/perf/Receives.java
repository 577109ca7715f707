package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;

/**
 * The receiving side of a flow: posts receives ahead of the sender, and checks their completions.
 */
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
   * @param size byte count of each message
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

  /** Number of messages that may be sent. */
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
   * Notes where a message went; 0 if that place is right.
   *
   * @param id id of the receive request that it took
   * @param index index of the message
   */
  int place(long id, int index) {
    return (int) id ^ index;
  }

  /** Prepares for a round. */
  void begin() {}

  /** False for completions that do not announce a message. */
  boolean isMessage(Completion completion) {
    return true;
  }

  abstract void post(int index, long id);

  /**
   * 0 if the completion has what it must have; without an immediate by default.
   *
   * @param expected the immediate of the message, if its kind has one
   */
  int difference(Completion completion, int expected) {
    return completion.hasImmediate() ? 1 : 0;
  }
}
