package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The queue to which an end posts its receive requests.
 *
 * @param requests starts a request
 * @param doorbell rings for the posted requests
 * @param free number of requests that can be posted
 * @param size most outstanding requests of the end
 */
record ReceiveQueue(
    Supplier<ReceiveLanding> requests, Runnable doorbell, IntSupplier free, int size) {

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
            queuePair::ringReceiveDoorbell,
            queuePair::freeReceives,
            queuePair.receiveQueueRequests())
        : of(settings.shared(), settings);
  }

  ReceiveLanding receive() {
    return requests.get();
  }

  void ringDoorbell() {
    doorbell.run();
  }

  int freeRequests() {
    return free.getAsInt();
  }
}
