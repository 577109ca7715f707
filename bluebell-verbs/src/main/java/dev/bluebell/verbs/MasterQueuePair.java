package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A {@link CrossChannelQueuePair} with an ordinary doorbell, {@link #ringDoorbell}, like that of an
 * {@link RcQueuePair}. It starts a NIC program.
 *
 * <p>The device may fetch a request once its doorbell is rung, even while an earlier WAIT blocks
 * the queue. Threads: as {@link RcQueuePair}.
 */
public interface MasterQueuePair extends CrossChannelQueuePair {
  /**
   * Writes the whole send queue, keeps it, and rings the doorbell: the device executes it once. No
   * other requests can be posted until {@link #reset}. The id of a completion is the WQEBB of the
   * ring at which its request starts.
   *
   * @param image 64 bytes for each WQEBB, from the first on; copied, without changes or checks
   * @param posted number of WQEBBs of the image that the device executes, at least 1
   * @throws IllegalArgumentException when the image is not a whole number of WQEBBs, longer than
   *     the queue, or shorter than {@code posted}
   * @throws IllegalStateException when requests were posted since the last reset
   */
  void install(MemorySegment image, int posted);
}
