package dev.bluebell.verbs;

/**
 * A receive request that has memory for a message, and may get more, to be filled in this order.
 */
@CheckReturnValue
public interface ReceiveRequest extends ReceiveEnd {

  /** Adds registered memory, as {@link ReceiveLanding#scatter(long, int, int)}. */
  ReceiveRequest scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link ReceiveLanding#scatter(MemoryRegion, long, int)}.
   *
   * @throws IndexOutOfBoundsException when the range is not all in the region; the request is
   *     dropped
   */
  ReceiveRequest scatter(MemoryRegion region, long offset, int length);
}
