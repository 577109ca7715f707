package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A {@link CrossChannelQueuePair} with a managed send queue: the device fetches and executes a
 * request only after an {@link #enableSends} has enabled it, so that other requests can rewrite it
 * until then. It needs no doorbell.
 *
 * <p>An enabled index may be ahead of the posted requests: the ring is then executed again. A queue
 * that is used in this way must {@linkplain #keep keep} its requests.
 *
 * <p>Threads: as {@link RcQueuePair}. A request must be posted before it is enabled.
 */
public interface ManagedQueuePair extends CrossChannelQueuePair {
  /** Index of the WQEBB at which the next request starts, 16 bits: enables all before it. */
  int nextWqebb();

  /**
   * Writes the whole send queue and keeps it, as {@link #keep} does: a NIC program in the device's
   * format. The id of a completion is the WQEBB of the ring at which its request starts.
   *
   * @param image 64 bytes for each WQEBB, from the first on; copied, without changes or checks
   * @throws IllegalArgumentException when the image is not a whole number of WQEBBs, or is longer
   *     than the queue
   * @throws IllegalStateException when requests were posted since the last reset
   */
  void install(MemorySegment image);

  /**
   * Keeps the posted requests, so that they may be executed any number of times: no more can be
   * posted until {@link #reset}. Completions have the ids with which the requests were posted.
   *
   * @throws IllegalStateException when a request is unfinished
   */
  void keep();
}
