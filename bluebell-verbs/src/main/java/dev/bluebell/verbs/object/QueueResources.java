package dev.bluebell.verbs.object;

/**
 * The resources of a queue in addition to its object on the device, allocated and released
 * together.
 *
 * @param memory its ring, or the rings of a queue pair
 * @param record its doorbell record
 * @param register its register in a UAR page
 */
public record QueueResources(
    QueueMemory memory, DoorbellRecordPool.Record record, RegisterPool.Register register) {

  /**
   * For a queue pair, whose register is for the doorbells of its send queue.
   *
   * @param blueFlame whether requests are also copied into the register
   */
  public static QueueResources ofQueuePair(
      DeviceContext device, long bytes, boolean blueFlame, Teardown teardown) {
    return new QueueResources(
        QueueMemory.allocate(device.hca(), bytes, teardown),
        device.records().take(teardown),
        device.registers().takeSend(blueFlame, teardown));
  }

  /** For a completion queue, whose register is for its arm commands. */
  public static QueueResources ofCompletionQueue(
      DeviceContext device, long bytes, Teardown teardown) {
    return new QueueResources(
        QueueMemory.allocate(device.hca(), bytes, teardown),
        device.records().take(teardown),
        device.registers().takeCompletion(teardown));
  }
}
