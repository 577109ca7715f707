package dev.bluebell.verbs;

/** The stage of atomics in which the memory for the result is named, as {@link AtomicScatter}. */
@CheckReturnValue
public interface RelaxedAtomic {

  /** Names 8 bytes of registered memory, as {@link AtomicScatter#scatter}. */
  RelaxedModifiers scatter(long address, int lkey);
}
