package dev.bluebell.verbs.command;

import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;

/**
 * Sizes of a shared receive queue.
 *
 * @param logEntries binary logarithm of its entries, the spare one included
 * @param logStride binary logarithm of an entry's bytes
 */
public record SharedReceiveShape(int logEntries, int logStride) {
  /** Most requests that a builder accepts; a device may take fewer. */
  public static final int MAX_REQUESTS = 32767;

  /** Most scatter entries of a request that a builder accepts; a device may take fewer. */
  public static final int MAX_SCATTER = 127;

  /** Returns the smallest queue that is large enough. */
  public static SharedReceiveShape of(int requests, int maxScatter, DeviceAttributes limits) {
    int logEntries = SharedReceiveRingLayout.logEntries(requests);
    if (1 << logEntries > limits.maxSharedReceives()) {
      throw new IllegalArgumentException(
          "requests(%d) is more than the %d that the device takes in a shared receive queue"
              .formatted(requests, limits.maxSharedReceives() - 1));
    }
    int logStride = SharedReceiveRingLayout.logStride(maxScatter);
    if (1 << logStride > limits.maxReceiveWqeBytes()) {
      throw new IllegalArgumentException(
          "maxScatter(%d) needs requests of %d bytes, and the device takes %d"
              .formatted(maxScatter, 1 << logStride, limits.maxReceiveWqeBytes()));
    }
    return new SharedReceiveShape(logEntries, logStride);
  }

  /** Bytes of all entries. */
  public long bytes() {
    return 1L << logEntries + logStride;
  }
}
