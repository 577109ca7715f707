package dev.bluebell.verbs;

/** Creates the {@link ManagedQueuePair} that a {@link CrossChannelBuilder} describes. */
public interface ManagedBuilder {
  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  ManagedQueuePair create();
}
