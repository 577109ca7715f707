package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The queue to which an end posts its receive requests.
 *
 * @param requests starts a request
 * @param again posts the next requests again as they are; for queues with slots
 * @param doorbell rings for the posted requests
 * @param free number of requests that can be posted
 * @param size most outstanding requests of the end
 * @param slots requests of a queue that uses its slots in order; 0 for another
 */
record ReceiveQueue(
    Supplier<ReceiveLanding> requests,
    IntConsumer again,
    Runnable doorbell,
    IntSupplier free,
    int size,
    int slots) {

  /** A queue whose requests complete in any order. */
  ReceiveQueue(Supplier<ReceiveLanding> requests, Runnable doorbell, IntSupplier free, int size) {
    this(
        requests,
        count -> {
          throw new IllegalStateException(
              "%d requests of this queue can't be posted again: it has no order".formatted(count));
        },
        doorbell,
        free,
        size,
        0);
  }

  /** An end's share of a queue that others may receive from, too. */
  static ReceiveQueue of(ScatteringReceiveQueue queue, EndSettings settings) {
    return new ReceiveQueue(
        queue::receive, queue::ringDoorbell, queue::exactFreeReceives, settings.receiveRequests());
  }

  /** The receive queue of a queue pair: its own, or a shared one. */
  static ReceiveQueue of(ReceivingQueuePair queuePair, EndSettings settings) {
    return settings.shared() == null
        ? new ReceiveQueue(
            queuePair::receive,
            queuePair::repostReceives,
            queuePair::ringReceiveDoorbell,
            queuePair::freeReceives,
            queuePair.receiveQueueRequests(),
            queuePair.receiveQueueRequests())
        : of(settings.shared(), settings);
  }

  ReceiveLanding receive() {
    return requests.get();
  }

  /** Posts {@code count} requests of the pass before again. */
  void repost(int count) {
    again.accept(count);
  }

  void ringDoorbell() {
    doorbell.run();
  }

  int freeRequests() {
    return free.getAsInt();
  }
}
