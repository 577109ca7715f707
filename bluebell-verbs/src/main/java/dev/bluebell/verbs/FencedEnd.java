package dev.bluebell.verbs;

/** The last stage of a request that only changes a memory key. */
@CheckReturnValue
public interface FencedEnd extends RequestEnd {

  /** The request starts only when all earlier READs and atomics of the queue are complete. */
  FencedEnd fence();
}
