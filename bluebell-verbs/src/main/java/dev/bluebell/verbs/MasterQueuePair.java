package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A {@link CrossChannelQueuePair} whose requests the device sees after {@link #ringDoorbell}, as
 * those of an {@link RcQueuePair}: what a NIC program is started with.
 *
 * <p>The device may read a request from its doorbell on, also while a WAIT before it holds the
 * queue. Threads: as {@link RcQueuePair}.
 */
public interface MasterQueuePair extends CrossChannelQueuePair {
  /**
   * Writes the whole send queue, lets it stay, and rings for it: the device executes it once. The
   * queue takes no other requests until {@link #reset}. Ids of completions are the WQEBBs of the
   * ring that the requests start at.
   *
   * @param image 64 bytes a WQEBB, from the first on; copied. Nothing is changed or checked, which
   *     is the device's to do.
   * @param posted WQEBBs of the image that the device executes, 1 or more
   * @throws IllegalArgumentException when the image is no whole number of WQEBBs, longer than the
   *     queue, or shorter than what is posted
   * @throws IllegalStateException when requests were posted since the last reset
   */
  void install(MemorySegment image, int posted);
}
