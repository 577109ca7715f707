package dev.bluebell.cli.perf;

import dev.bluebell.verbs.BindEnd;
import dev.bluebell.verbs.RequestEnd;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one operation from one queue pair to its peer, in rounds. A round uses each slot of
 * the window at most once, so that every message can be checked afterwards.
 */
abstract class Flow {
  /** Requests that share a doorbell. */
  private static final int BATCH = 32;

  private static final int NONE = -1;

  private final Requester requester;
  private final @Nullable Receives receives;
  private final int depth;
  private final int signalEvery;
  private final long tag;

  private int target;
  private int posted;
  private int completed;
  private int lastSignaled;
  private int untilSignal;

  /**
   * Describes a flow.
   *
   * @param receives receives of the peer; null for operations without receives, and for a peer in
   *     another process
   */
  Flow(Source source, @Nullable Receives receives) {
    this.receives = receives;
    requester = source.requester();
    depth = source.plan().depth();
    signalEvery = source.plan().signalEvery();
    tag = (long) source.number() << 32;
  }

  /** Number of the flow, from the id of a request. */
  static int number(long id) {
    return (int) (id >>> 32);
  }

  /**
   * Prepares a round.
   *
   * @param count messages, at most the slots of the window
   * @param first sequence number of the first message
   */
  final void prepare(int count, long first) {
    target = count;
    posted = 0;
    completed = 0;
    lastSignaled = NONE;
    untilSignal = signalEvery;
    if (receives != null) {
      receives.prepare(count, first);
    }
    begin(first);
  }

  /** Posts as many requests as the queues have room for. */
  final void advance() {
    if (receives != null) {
      receives.advance();
    }
    int room = room();
    while (room > 0 && (room >= BATCH || room == target - posted || lastSignaled < completed)) {
      int count = Math.min(room, BATCH);
      post(posted, count);
      requester.ringDoorbell();
      posted += count;
      room = room();
    }
  }

  private int room() {
    int limit = Math.min(target, completed + depth);
    if (receives != null) {
      limit = Math.min(limit, receives.posted());
    }
    return limit - posted;
  }

  /** Ends a request, signalled or unsignalled as the plan says. */
  final void end(RequestEnd request, int index) {
    if (isSignaled(index)) {
      request.signaled(tag | index);
    } else {
      request.unsignaled(tag | index);
    }
  }

  /** Ends a bind, signalled or unsignalled as the plan says; the window keeps its new key. */
  final void end(BindEnd request, int index) {
    int unused =
        isSignaled(index) ? request.signaled(tag | index) : request.unsignaled(tag | index);
  }

  /** Whether a request is to be signalled. */
  private boolean isSignaled(int index) {
    if (--untilSignal != 0 && index != target - 1) {
      return false;
    }
    untilSignal = signalEvery;
    lastSignaled = index;
    return true;
  }

  /** Takes the completion of a signalled request. */
  final void requestCompleted(long id) {
    completed = (int) id + 1;
  }

  /** Number of requests posted. */
  final int posted() {
    return posted;
  }

  /** Number of requests known to be complete. */
  final int completed() {
    return completed;
  }

  /** Messages that the peer has received; 0 for operations without receives. */
  final int received() {
    return receives == null ? 0 : receives.received();
  }

  final boolean isDone() {
    return completed == target && (receives == null || receives.isDone());
  }

  /** Whether the round's messages arrived as they were sent. Call it when the round is done. */
  final boolean verify() {
    return (receives == null || receives.isGood()) && isGood();
  }

  final int target() {
    return target;
  }

  final Requester requester() {
    return requester;
  }

  /** Prepares memory for a round; {@code first} is the sequence number of its first message. */
  abstract void begin(long first);

  /** Posts {@code count} requests for the round's messages from {@code index} on. */
  abstract void post(int index, int count);

  /** Does the work of a full round with plain memory copies; false if no data moves. */
  abstract boolean copy();

  /** Whether the round's data is right. */
  abstract boolean isGood();
}
