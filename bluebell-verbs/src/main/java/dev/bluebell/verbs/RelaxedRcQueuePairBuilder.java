package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/** Creates a {@link RelaxedRcQueuePair} of what an {@link RcQueuePairBuilder} describes. */
public final class RelaxedRcQueuePairBuilder {
  private final RcQueuePairBuilder description;

  RelaxedRcQueuePairBuilder(RcQueuePairBuilder description) {
    this.description = description;
  }

  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  public RelaxedRcQueuePair create() {
    ConnectionSettings settings = description.settings();
    return QueuePairParts.assemble(
        description.plan(ServiceType.RC), parts -> new RelaxedRcQueuePair(parts, settings));
  }
}
