package dev.bluebell.verbs;

/** Creates a {@link ManagedQueuePair} of what a {@link CrossChannelBuilder} describes. */
public interface ManagedBuilder {
  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  ManagedQueuePair create();
}
