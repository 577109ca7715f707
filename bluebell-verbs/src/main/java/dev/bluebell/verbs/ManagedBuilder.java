package dev.bluebell.verbs;

/** Creates a {@link ManagedQueuePair} of what a {@link CrossChannelBuilder} describes. */
public final class ManagedBuilder {
  private final CrossChannelBuilder description;

  ManagedBuilder(CrossChannelBuilder description) {
    this.description = description;
  }

  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  public ManagedQueuePair create() {
    return description.create(true, ManagedQueuePair::new);
  }
}
