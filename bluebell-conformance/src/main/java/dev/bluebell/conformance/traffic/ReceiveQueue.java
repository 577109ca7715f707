package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A queue of receive requests, of any kind.
 *
 * @param name description of the queue
 * @param requests starts a request
 * @param doorbell rings for the posted requests
 * @param free number of requests that can be posted now
 * @param isOrdered true when requests complete in posting order
 */
record ReceiveQueue(
    String name,
    Supplier<ReceiveLanding> requests,
    Runnable doorbell,
    IntSupplier free,
    boolean isOrdered) {

  static ReceiveQueue of(ReceivingQueuePair queuePair) {
    return new ReceiveQueue(
        queuePair.toString(),
        queuePair::receive,
        queuePair::ringReceiveDoorbell,
        queuePair::freeReceives,
        true);
  }

  static ReceiveQueue of(ScatteringReceiveQueue queue) {
    return new ReceiveQueue(
        queue.toString(), queue::receive, queue::ringDoorbell, queue::exactFreeReceives, false);
  }

  static ReceiveQueue of(TagMatchingReceiveQueue queue) {
    return new ReceiveQueue(
        queue.toString(),
        queue::receive,
        queue::ringReceiveDoorbell,
        queue::exactFreeReceives,
        false);
  }
}
