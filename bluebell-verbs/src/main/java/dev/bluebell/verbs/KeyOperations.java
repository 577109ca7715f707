package dev.bluebell.verbs;

/**
 * The operations of a connection that change memory keys: windows and layouts. Each takes effect
 * before the next request of the queue starts. Posting allocates nothing.
 *
 * <p>A request takes 2 WQEBBs of the send queue, and 1 more for every 4 pieces or part of 4; a bind
 * has one piece, and the head of an interleaved layout counts as a piece. So it can need more than
 * {@link QueuePair#hasRoom} checks for: compare with {@link QueuePair#freeWqebbs}. In a queue with
 * NOP fill, a request of n WQEBBs can need 2n - 1 of them.
 */
@CheckReturnValue
public interface KeyOperations {

  /**
   * Starts to bind a window to a range of a region. Peers then use the region's own addresses.
   *
   * @param window a window of the queue pair's domain. A type 2 window must not be bound already;
   *     it then serves accesses only through this queue pair
   * @param region a region of the same domain, with {@link Access#LOCAL_WRITE} if the window allows
   *     writes
   * @param offset offset of the first byte in the region
   * @param length bytes, 1 … 2^31
   */
  BindEnd bind(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights);

  /** Starts to bind a window as {@link #bind}, but peers address its bytes from 0. */
  BindEnd bindZeroBased(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights);

  /**
   * Starts to invalidate a window: peers are refused from then on.
   *
   * @param window a bound window; if of type 2, bound by this queue pair
   */
  FencedEnd invalidate(MemoryWindow window);

  /**
   * Starts to lay out a region as a list of consecutive pieces of other regions.
   *
   * @param region a region of the queue pair's domain
   */
  ListLayout layoutList(IndirectRegion region, WindowRights rights);

  /**
   * Starts to lay out a region as interleaved pieces of other regions, one of each per turn.
   *
   * @param region a region of the queue pair's domain
   * @param turns 1 … 2^31 − 1
   */
  InterleavedLayout layoutInterleaved(IndirectRegion region, int turns, WindowRights rights);

  /** Starts to change the rights of a region that has a layout. */
  FencedEnd changeRights(IndirectRegion region, WindowRights rights);
}
