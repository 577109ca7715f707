package dev.bluebell.verbs;

/**
 * Builder of a queue pair for NIC programs, in addition to its {@link RcQueuePairBuilder}. Not
 * thread-safe.
 */
public interface CrossChannelBuilder {
  /**
   * Makes the receive queue managed: other requests, not its doorbell record, enable its receives
   * by {@link CrossChannelOperations#enableReceives}. Mirrors {@code ib_verbs.h:
   * IB_QP_CREATE_MANAGED_RECV} of Linux.
   */
  CrossChannelBuilder managedReceives();

  /**
   * Makes the send queue managed: other requests enable its requests by {@link
   * CrossChannelOperations#enableSends}. Mirrors {@code ib_verbs.h: IB_QP_CREATE_MANAGED_SEND} of
   * Linux.
   */
  ManagedBuilder managedSends();

  /**
   * Creates the queue pair and moves it to the INIT state, as {@link RcQueuePairBuilder#create}.
   */
  MasterQueuePair create();
}
