package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A queue pair whose requests complete in the order in which they were posted, so that a completion
 * tells of all requests before it, too, and those may end unsignalled.
 */
public interface OrderedQueuePair extends QueuePair {
  /** Starts a request that does nothing but complete. */
  @CheckReturnValue
  RequestModifiers nop();

  /**
   * Starts a request that is written out by the caller: for experts, and for what the driver has no
   * stages for. Opcode, opmod and size must make a request of the queue pair's service; what else
   * the bytes say is the device's to judge. Index and QPN, and whether a success yields a
   * completion, are filled in.
   *
   * @param entry 16 to 1008 bytes in units of 16, from the control segment on, big-endian; copied
   * @throws IllegalArgumentException when opcode, opmod, ds and size do not go together
   */
  @CheckReturnValue
  RequestModifiers raw(MemorySegment entry);
}
