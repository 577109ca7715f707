package dev.bluebell.verbs;

/**
 * The stage of a receive request that has memory and may take more; messages fill it in this order.
 */
@CheckReturnValue
public interface ReceiveRequest extends ReceiveEnd {

  /** Adds registered memory, as {@link ReceiveLanding#scatter(long, int, int)}. */
  ReceiveRequest scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link ReceiveLanding#scatter(MemoryRegion, long, int)}.
   *
   * @throws IndexOutOfBoundsException when the range exceeds the region; the request is dropped
   */
  ReceiveRequest scatter(MemoryRegion region, long offset, int length);
}
