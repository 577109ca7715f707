package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A reliable-connection queue pair that takes part in NIC programs: its requests may wait for and
 * enable other queues, and its queues can be registered as memory so that other requests rewrite
 * them. Two queue pairs of one device may be connected to each other; their requests then access
 * local memory.
 */
public interface CrossChannelQueuePair extends ReliableQueuePair, CrossChannelOperations {
  /** True when RECV_ENs, not the doorbell record, enable the receives that are posted here. */
  boolean hasManagedReceives();

  /**
   * Registers the send queue as memory, so that requests can read and rewrite its requests: WQEBB
   * {@code n} is at offset {@code 64 n}. The device may fetch a request as soon as it may execute
   * it, so only a request of a managed queue that is not yet enabled can be rewritten safely. The
   * driver does not check what is written there.
   *
   * @param access rights as for {@link ProtectionDomain#register(MemorySegment, Access...)}
   * @return a region that must be closed before the queue pair
   */
  MemoryRegion sendQueueMemory(Access... access);

  /**
   * Registers the receive queue as memory. Its requests have equal strides; each is a list of
   * 16-byte scatter entries.
   *
   * @param access rights as for {@link #sendQueueMemory}
   * @return a region that must be closed before the queue pair
   * @throws IllegalStateException when the queue pair has no receive queue
   */
  MemoryRegion receiveQueueMemory(Access... access);

  /**
   * Registers the doorbell record of the receive queue, so that requests can repost receives: 4
   * bytes, big-endian, whose low 16 bits are the number of receives posted since the last reset.
   *
   * @param access rights as for {@link #sendQueueMemory}
   * @return a region that must be closed before the queue pair
   * @throws IllegalStateException when the queue pair has no receive queue, or managed receives
   */
  MemoryRegion receiveRecordMemory(Access... access);

  /**
   * Writes the whole receive queue and keeps it: its requests may be used any number of times, and
   * no others can be posted until {@link #reset}. The id of a completion is its request's slot.
   *
   * @param image requests from the first on, in the device's format and with the strides of {@link
   *     #receiveQueueMemory}; copied
   * @param posted new value of the doorbell record, 16 bits; ignored for managed receives
   * @throws IllegalArgumentException when the image is not a whole number of requests, or is longer
   *     than the queue
   * @throws IllegalStateException when receives were posted since the last reset
   */
  void installReceives(MemorySegment image, int posted);

  /**
   * Keeps the posted receives, as {@link #installReceives} does. Completions have the ids with
   * which they were posted.
   *
   * @throws IllegalStateException when a request is unfinished
   */
  void keepReceives();
}
