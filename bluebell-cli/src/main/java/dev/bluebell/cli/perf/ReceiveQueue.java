package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Where an end posts its receive requests.
 *
 * @param requests starts one
 * @param doorbell makes the device see them
 * @param free how many can be posted
 * @param size how many the end may have outstanding
 */
record ReceiveQueue(
    Supplier<ReceiveLanding> requests, Runnable doorbell, IntSupplier free, int size) {

  /** The part of an end in a queue that others may receive from, too. */
  static ReceiveQueue of(ScatteringReceiveQueue queue, EndSettings settings) {
    return new ReceiveQueue(
        queue::receive, queue::ringDoorbell, queue::exactFreeReceives, settings.receiveRequests());
  }

  /** What a queue pair receives from: a queue of its own, or one that it shares. */
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
