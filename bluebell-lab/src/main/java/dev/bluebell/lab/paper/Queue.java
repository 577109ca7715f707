package dev.bluebell.lab.paper;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.ManagedQueuePair;

/**
 * A queue pair that is filled request by request, with completion queues of its own.
 *
 * @param sends counts and has the completions of requests
 * @param receives those of messages
 */
record Queue(CrossChannelQueuePair pair, CompletionQueue sends, CompletionQueue receives) {

  void connect(Queue other) {
    pair.connect(other.pair.endpoint(), ConnectOptions.DEFAULT);
    other.pair.connect(pair.endpoint(), ConnectOptions.DEFAULT);
  }

  /** A WAIT for the request of another queue, or of this one, that completes as the index-th. */
  Queue await(Queue other, int index) {
    return await(other.sends, index);
  }

  Queue await(CompletionQueue completions, int index) {
    pair.waitFor(completions, index).unsignaled(0);
    return this;
  }

  /** A SEND_EN for all that was posted to a managed queue. */
  Queue enable(Queue managed) {
    return enable(managed, managed.index());
  }

  Queue enable(Queue managed, int index) {
    pair.enableSends((ManagedQueuePair) managed.pair, index).unsignaled(0);
    return this;
  }

  /** A request that does nothing. */
  Queue nop() {
    pair.nop().signaled(0);
    return this;
  }

  /** Where the next request of a managed queue will be. */
  int index() {
    return ((ManagedQueuePair) pair).nextWqebb();
  }

  /** Starts what was posted to a queue that is not managed. */
  void ring() {
    pair.ringDoorbell();
  }

  /** When the last request completed, in nanoseconds. */
  long lastSend() {
    return last(sends);
  }

  /** When the last message came, in nanoseconds. */
  long lastReceive() {
    return last(receives);
  }

  /** When a message came that was not seen yet, in nanoseconds; -1 for none. */
  long nextReceive() {
    return next(receives);
  }

  /** When a request completed that was not seen yet, in nanoseconds; -1 for none. */
  long nextSend() {
    return next(sends);
  }

  private static long next(CompletionQueue completions) {
    Completion next = completions.poll();
    if (next == null) {
      return -1;
    }
    if (!next.isSuccess()) {
      throw new IllegalStateException(next.explanation());
    }
    return next.timestamp();
  }

  private static long last(CompletionQueue completions) {
    long last = -1;
    for (long each = next(completions); each >= 0; each = next(completions)) {
      last = each;
    }
    if (last < 0) {
      throw new IllegalStateException("nothing completed: the device has come to rest before");
    }
    return last;
  }
}
