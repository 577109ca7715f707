package dev.bluebell.verbs;

/** Creates the {@link RelaxedRcQueuePair} that an {@link RcQueuePairBuilder} describes. */
public interface RelaxedRcQueuePairBuilder {
  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  RelaxedRcQueuePair create();
}
