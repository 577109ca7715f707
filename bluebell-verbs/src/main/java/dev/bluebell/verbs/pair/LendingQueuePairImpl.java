package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.BindEnd;
import dev.bluebell.verbs.FencedEnd;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.InterleavedLayout;
import dev.bluebell.verbs.LendingQueuePair;
import dev.bluebell.verbs.ListLayout;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.memory.KeyQueue;
import dev.bluebell.verbs.ring.PlainRequest;

/** Implements {@link LendingQueuePair}. */
public abstract class LendingQueuePairImpl extends OperatingQueuePairImpl<PlainRequest>
    implements LendingQueuePair {
  private final KeyQueue keys;

  /** Makes the queue pair of its parts; {@link #start} moves it to INIT. */
  public LendingQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    keys = new KeyQueue(parts.domain(), send);
  }

  @Override
  final PlainRequest request() {
    return send.request();
  }

  @Override
  public BindEnd bind(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights) {
    return keys.bind(window, region, offset, length, rights);
  }

  @Override
  public BindEnd bindZeroBased(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights) {
    return keys.bindZeroBased(window, region, offset, length, rights);
  }

  @Override
  public FencedEnd invalidate(MemoryWindow window) {
    return keys.invalidate(window);
  }

  @Override
  public ListLayout layoutList(IndirectRegion region, WindowRights rights) {
    return keys.layoutList(region, rights);
  }

  @Override
  public InterleavedLayout layoutInterleaved(
      IndirectRegion region, int turns, WindowRights rights) {
    return keys.layoutInterleaved(region, turns, rights);
  }

  @Override
  public FencedEnd changeRights(IndirectRegion region, WindowRights rights) {
    return keys.changeRights(region, rights);
  }
}
