package dev.bluebell.verbs;

/** Adds the changes of memory keys: windows that are lent to the peer, and layouts. */
public abstract class LendingQueuePair extends ConnectedReceivingQueuePair
    implements KeyOperations {
  private final KeyQueue keys;

  /** Makes the queue pair of its parts; {@link #start} moves it to INIT. */
  LendingQueuePair(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    keys = new KeyQueue(parts.domain(), send);
  }

  @Override
  @CheckReturnValue
  public BindEnd bind(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights) {
    return keys.bind(window, region, offset, length, rights);
  }

  @Override
  @CheckReturnValue
  public BindEnd bindZeroBased(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights) {
    return keys.bindZeroBased(window, region, offset, length, rights);
  }

  @Override
  @CheckReturnValue
  public FencedEnd invalidate(MemoryWindow window) {
    return keys.invalidate(window);
  }

  @Override
  @CheckReturnValue
  public ListLayout layoutList(IndirectRegion region, WindowRights rights) {
    return keys.layoutList(region, rights);
  }

  @Override
  @CheckReturnValue
  public InterleavedLayout layoutInterleaved(
      IndirectRegion region, int turns, WindowRights rights) {
    return keys.layoutInterleaved(region, turns, rights);
  }

  @Override
  @CheckReturnValue
  public FencedEnd changeRights(IndirectRegion region, WindowRights rights) {
    return keys.changeRights(region, rights);
  }
}
