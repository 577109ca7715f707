package dev.bluebell.verbs.command;

import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.DoorbellRecordPool;
import dev.bluebell.verbs.object.QueueMemory;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;

/**
 * The memory and the shape of a linked receive queue's entries.
 *
 * @param domain number of the protection domain
 * @param memory of the entries
 * @param record of the doorbell
 * @param shape sizes
 */
public record ReceiveEntries(
    int domain, QueueMemory memory, DoorbellRecordPool.Record record, SharedReceiveShape shape) {

  /** Allocates a queue's memory and doorbell record. */
  public static ReceiveEntries allocate(
      Domain domain, SharedReceiveShape shape, Teardown teardown) {
    DeviceContext device = domain.device();
    return new ReceiveEntries(
        domain.number(),
        QueueMemory.allocate(device.hca(), shape.bytes(), teardown),
        device.records().take(teardown),
        shape);
  }

  /**
   * Returns the ring that posts to these entries, and keeps their memory reachable.
   *
   * @param name of the queue, as error messages have it
   */
  public SharedReceiveRing ring(String name) {
    SharedReceiveRing ring =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                memory.address(), shape.logEntries(), shape.logStride(), record.address(), name));
    ring.keepReachable(this);
    return ring;
  }
}
