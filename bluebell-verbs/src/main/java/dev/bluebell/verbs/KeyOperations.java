package dev.bluebell.verbs;

/**
 * The operations by which a connection changes memory keys: windows and layouts. Each takes effect
 * before the next request of the queue starts, which waits by itself. Posting allocates nothing.
 */
@CheckReturnValue
public interface KeyOperations {

  /**
   * Starts to bind a window to a range of a region, which peers then name by the region's own
   * addresses.
   *
   * @param window of the queue pair's domain; one of type 2 must not be bound, and serves accesses
   *     through this queue pair from then on
   * @param region of the same domain, with {@link Access#LOCAL_WRITE} if the window is to be
   *     written
   * @param offset of the first byte in the region
   * @param length bytes, 1 … 2^31
   */
  BindEnd bind(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights);

  /** Starts to bind a window as {@link #bind}, but peers name its bytes from address 0. */
  BindEnd bindZeroBased(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights);

  /**
   * Starts to end the binding of a window: peers are refused from then on.
   *
   * @param window that is bound; one of type 2 by this queue pair
   */
  FencedEnd invalidate(MemoryWindow window);

  /**
   * Starts to make a region a list of pieces of others, one behind the other.
   *
   * @param region of the queue pair's domain
   */
  ListLayout layoutList(IndirectRegion region, WindowRights rights);

  /**
   * Starts to make a region an interleaved one: pieces of others that come in turns.
   *
   * @param region of the queue pair's domain
   * @param turns 1 … 2^31 − 1
   */
  InterleavedLayout layoutInterleaved(IndirectRegion region, int turns, WindowRights rights);

  /** Starts to change the rights of a region that has a layout. */
  FencedEnd changeRights(IndirectRegion region, WindowRights rights);
}
