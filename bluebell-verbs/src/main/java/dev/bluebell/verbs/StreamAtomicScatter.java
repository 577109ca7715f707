package dev.bluebell.verbs;

/**
 * The stage of an atomic operation on a stream in which the place for the original value is named.
 */
@CheckReturnValue
public interface StreamAtomicScatter {

  /** Names the bytes that receive the value from before, as {@link AtomicScatter}. */
  StreamModifiers scatter(long address, int lkey);

  /** Names bytes of a region, as {@link AtomicScatter#scatter(MemoryRegion, long)}. */
  StreamModifiers scatter(MemoryRegion region, long offset);
}
