package dev.bluebell.verbs;

/** A queue pair that is connected to one peer and receives from it. */
public interface ConnectedReceivingQueuePair extends ReceivingQueuePair, ConnectedQueuePair {
  /**
   * Changes the rights of the peer.
   *
   * @throws IllegalStateException when the queue pair is neither in the INIT nor in the RTS state
   */
  void modifyAccess(Access... rights);
}
