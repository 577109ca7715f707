package dev.bluebell.verbs;

/**
 * The stage of an atomic operation on a stream that takes the destination of the original value.
 */
@CheckReturnValue
public interface StreamAtomicScatter {

  /** Names the bytes that receive the original value, as {@link AtomicScatter}. */
  StreamModifiers scatter(long address, int lkey);

  /** Names bytes of a region, as {@link AtomicScatter#scatter(MemoryRegion, long)}. */
  StreamModifiers scatter(MemoryRegion region, long offset);
}
