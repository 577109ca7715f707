package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A queue pair whose requests complete in the order in which they were posted. A completion implies
 * that all requests before it have completed, so these may be unsignalled.
 */
public interface OrderedQueuePair extends QueuePair {
  /** Starts a request that does nothing but complete. */
  @CheckReturnValue
  RequestModifiers nop();

  /**
   * Starts a request whose bytes the caller supplies: for experts, and for requests that the driver
   * has no stages for. The driver checks only that opcode, opmod and size form a request of the
   * queue pair's service. It fills in the index, the QPN and whether success generates a
   * completion.
   *
   * @param entry 16 to 1008 bytes in units of 16, from the control segment on, big-endian; copied
   * @throws IllegalArgumentException when opcode, opmod, ds and size are inconsistent
   */
  @CheckReturnValue
  RequestModifiers raw(MemorySegment entry);
}
