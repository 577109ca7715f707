package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A queue of receive requests, of whatever kind.
 *
 * @param name what it is
 * @param requests starts a request
 * @param doorbell makes the device see those that ended
 * @param free requests that can be posted now
 * @param isOrdered true when requests complete in the order in which they were posted
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
