package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A reliable-connection queue pair that takes part in NIC programs: its requests may wait and
 * enable, and others may rewrite them, as its queues can be registered as memory. Two queue pairs
 * of one device may be connected with each other, so that their requests work on this device's own
 * memory.
 */
public interface CrossChannelQueuePair extends ReliableQueuePair, CrossChannelOperations {
  /** True when RECV_ENs of others let the device see the receives that are posted here. */
  boolean hasManagedReceives();

  /**
   * Registers the send queue as memory, so that requests read and rewrite its requests: WQEBB
   * {@code n} is at offset {@code 64 n}. The device reads a request at any time from when it may
   * execute it, so only one that it may not yet execute, of a managed queue, can be rewritten
   * safely. What is written there is the device's to judge.
   *
   * @param access as {@link ProtectionDomain#register(MemorySegment, Access...)} takes it
   * @return a region that must be closed before the queue pair
   */
  MemoryRegion sendQueueMemory(Access... access);

  /**
   * Registers the receive queue as memory: its requests follow each other in equal strides, each a
   * list of scatter entries of 16 bytes.
   *
   * @param access as {@link #sendQueueMemory} takes it
   * @return a region that must be closed before the queue pair
   * @throws IllegalStateException when the queue pair has no receive queue
   */
  MemoryRegion receiveQueueMemory(Access... access);

  /**
   * Registers the 4 bytes, big-endian, whose low 16 bits tell the device how many receives were
   * posted since the last reset, so that requests post them again.
   *
   * @param access as {@link #sendQueueMemory} takes it
   * @return a region that must be closed before the queue pair
   * @throws IllegalStateException when the queue pair has no receive queue, or managed receives
   */
  MemoryRegion receiveRecordMemory(Access... access);

  /**
   * Writes the whole receive queue, and lets it stay: it takes no other receives until {@link
   * #reset}, and may be used any number of times. Completions have the slot of their request as id.
   *
   * @param image requests of {@link #receiveQueueMemory}'s strides from the first on, as the device
   *     reads them; copied
   * @param posted what the doorbell record says then, 16 bits; for managed receives it says nothing
   * @throws IllegalArgumentException when it is no whole number of requests, or longer than the
   *     queue
   * @throws IllegalStateException when receives were posted since the last reset
   */
  void installReceives(MemorySegment image, int posted);

  /**
   * Lets the receives that were posted stay, as {@link #installReceives} does; completions have the
   * ids that they were posted with.
   *
   * @throws IllegalStateException when a request is half built
   */
  void keepReceives();
}
