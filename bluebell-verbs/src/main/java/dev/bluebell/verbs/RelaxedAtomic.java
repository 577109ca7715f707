package dev.bluebell.verbs;

/**
 * The stage of atomics that takes the destination of the original value, as {@link AtomicScatter}.
 */
@CheckReturnValue
public interface RelaxedAtomic {

  /** Names registered memory, as {@link AtomicScatter#scatter(long, int)}. */
  RelaxedModifiers scatter(long address, int lkey);

  /** Names bytes of a region, as {@link AtomicScatter#scatter(MemoryRegion, long)}. */
  RelaxedModifiers scatter(MemoryRegion region, long offset);
}
