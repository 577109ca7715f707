package dev.bluebell.verbs;

/**
 * Describes what a queue pair does in NIC programs, beside what an {@link RcQueuePairBuilder} says.
 * Not thread-safe.
 */
public interface CrossChannelBuilder {
  /**
   * Leaves the receive queue to requests of others, which {@link
   * CrossChannelOperations#enableReceives} of it, instead of its doorbell record. Mirrors {@code
   * ib_verbs.h: IB_QP_CREATE_MANAGED_RECV} of Linux.
   */
  CrossChannelBuilder managedReceives();

  /**
   * Leaves the send queue to requests of others, which {@link CrossChannelOperations#enableSends}
   * of it. Mirrors {@code ib_verbs.h: IB_QP_CREATE_MANAGED_SEND} of Linux.
   */
  ManagedBuilder managedSends();

  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  MasterQueuePair create();
}
