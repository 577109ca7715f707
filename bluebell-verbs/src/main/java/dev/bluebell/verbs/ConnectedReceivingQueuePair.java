package dev.bluebell.verbs;

/** Adds a connection to one peer, from which the queue pair receives. */
public interface ConnectedReceivingQueuePair extends ReceivingQueuePair, ConnectedQueuePair {
  /**
   * Changes the rights of the peer.
   *
   * @throws IllegalStateException when the queue pair is neither in the INIT nor in the RTS state
   */
  void modifyAccess(Access... rights);
}
