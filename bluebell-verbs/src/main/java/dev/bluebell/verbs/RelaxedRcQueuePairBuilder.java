package dev.bluebell.verbs;

/** Creates a {@link RelaxedRcQueuePair} of what an {@link RcQueuePairBuilder} describes. */
public interface RelaxedRcQueuePairBuilder {
  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  RelaxedRcQueuePair create();
}
