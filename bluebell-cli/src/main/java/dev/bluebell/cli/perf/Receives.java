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
  private final int most;
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
    this(queue, number, size, queue.size());
  }

  /**
   * Describes the receives of a flow, of which at most {@code most} are posted ahead.
   *
   * @param size byte count of each message
   */
  Receives(ReceiveQueue queue, int number, int size, int most) {
    this.queue = queue;
    this.size = size;
    this.most = most;
    tag = (long) number << 32;
    batch = Math.min(BATCH, most / 2);
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
    int room = Math.min(queue.freeRequests(), most + received - posted);
    room = Math.min(room, target - posted);
    if (room < batch && room != target - posted || room == 0) {
      return;
    }
    post(posted, room);
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

  /** Marks the ids of this flow; the other bits are the caller's. */
  final long tag() {
    return tag;
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

  /** Posts {@code count} receives for the round's messages from {@code index} on. */
  void post(int index, int count) {
    for (int i = index; i < index + count; i++) {
      post(i, tag | i);
    }
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
