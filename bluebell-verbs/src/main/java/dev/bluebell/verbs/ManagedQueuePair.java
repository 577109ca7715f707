package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A {@link CrossChannelQueuePair} whose send queue others let go on: the device reads and executes
 * a request when a {@link #enableSends} went beyond it, and not before, so that other requests can
 * rewrite it until then. Nothing needs to be rung for it.
 *
 * <p>An enabled index may run ahead of what was posted: the ring is then executed again. A queue
 * that shall do so {@linkplain #keep keeps} its requests.
 *
 * <p>Threads: as {@link RcQueuePair}. Who enables a request must have posted it before, or know
 * that it is.
 */
public interface ManagedQueuePair extends CrossChannelQueuePair {
  /** Index of the WQEBB that the next request starts at, 16 bits: to enable all before it. */
  int nextWqebb();

  /**
   * Writes the whole send queue, and lets it stay, as {@link #keep} does: a program as the device
   * reads it. Ids of completions are the WQEBBs of the ring that the requests start at.
   *
   * @param image 64 bytes a WQEBB, from the first on; copied. Nothing is changed or checked, which
   *     is the device's to do.
   * @throws IllegalArgumentException when it is no whole number of WQEBBs, or longer than the queue
   * @throws IllegalStateException when requests were posted since the last reset
   */
  void install(MemorySegment image);

  /**
   * Lets the requests that were posted stay, so that they may be executed any number of times: the
   * queue takes no more until {@link #reset}, and completions have the ids that the requests were
   * posted with.
   *
   * @throws IllegalStateException when a request is half built
   */
  void keep();
}
