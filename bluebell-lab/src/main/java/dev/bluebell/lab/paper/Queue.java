package dev.bluebell.lab.paper;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.ManagedQueuePair;

/**
 * A queue pair that is filled request by request, with its own completion queues.
 *
 * @param sends completions of requests
 * @param receives completions of received messages
 */
record Queue(CrossChannelQueuePair pair, CompletionQueue sends, CompletionQueue receives) {

  void connect(Queue other) {
    pair.connect(other.pair.endpoint(), ConnectOptions.DEFAULT);
    other.pair.connect(pair.endpoint(), ConnectOptions.DEFAULT);
  }

  /** Posts a WAIT for the completion of another queue, or of this one, with an index. */
  Queue await(Queue other, int index) {
    return await(other.sends, index);
  }

  Queue await(CompletionQueue completions, int index) {
    pair.waitFor(completions, index).unsignaled(0);
    return this;
  }

  /** Posts a SEND_EN for all posted requests of a managed queue. */
  Queue enable(Queue managed) {
    return enable(managed, managed.index());
  }

  Queue enable(Queue managed, int index) {
    pair.enableSends((ManagedQueuePair) managed.pair, index).unsignaled(0);
    return this;
  }

  Queue nop() {
    pair.nop().signaled(0);
    return this;
  }

  /** Index of the next request of a managed queue. */
  int index() {
    return ((ManagedQueuePair) pair).nextWqebb();
  }

  /** Starts the posted requests of a queue that is not managed. */
  void ring() {
    pair.ringDoorbell();
  }

  /** Time of the last completion of a request, in nanoseconds. */
  long lastSend() {
    return last(sends);
  }

  /** Time of the last received message, in nanoseconds. */
  long lastReceive() {
    return last(receives);
  }

  /** Time of the next received message that was not polled yet, in nanoseconds; -1 for none. */
  long nextReceive() {
    return next(receives);
  }

  /** Time of the next completed request that was not polled yet, in nanoseconds; -1 for none. */
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
      throw new IllegalStateException("nothing completed before the device came to rest");
    }
    return last;
  }
}
