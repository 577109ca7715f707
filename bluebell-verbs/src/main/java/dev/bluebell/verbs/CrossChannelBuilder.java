package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/**
 * Describes what a queue pair does in NIC programs, beside what an {@link RcQueuePairBuilder} says.
 * Not thread-safe.
 */
public final class CrossChannelBuilder {
  private final RcQueuePairBuilder description;
  private boolean managedReceives;

  CrossChannelBuilder(RcQueuePairBuilder description) {
    this.description = description;
  }

  /**
   * Leaves the receive queue to requests of others, which {@link
   * CrossChannelOperations#enableReceives} of it, instead of its doorbell record. Mirrors {@code
   * ib_verbs.h: IB_QP_CREATE_MANAGED_RECV} of Linux.
   */
  public CrossChannelBuilder managedReceives() {
    managedReceives = true;
    return this;
  }

  /**
   * Leaves the send queue to requests of others, which {@link CrossChannelOperations#enableSends}
   * of it. Mirrors {@code ib_verbs.h: IB_QP_CREATE_MANAGED_SEND} of Linux.
   */
  public ManagedBuilder managedSends() {
    return new ManagedBuilder(this);
  }

  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  public MasterQueuePair create() {
    return create(false, MasterQueuePair::new);
  }

  <Q extends CrossChannelQueuePair> Q create(
      boolean managedSends, RcQueuePairBuilder.Kind<Q> kind) {
    CrossChannel channel = new CrossChannel(true, managedSends, managedReceives);
    return description.create(description.plan(ServiceType.RC).withChannel(channel), kind);
  }
}
