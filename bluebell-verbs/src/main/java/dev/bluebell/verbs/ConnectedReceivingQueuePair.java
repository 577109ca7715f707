package dev.bluebell.verbs;

/** A queue pair that is connected to one peer and receives from it. */
public interface ConnectedReceivingQueuePair extends ReceivingQueuePair, ConnectedQueuePair {

  /**
   * Connects as {@link #connect(QueuePairEndpoint, ConnectOptions)}, after a connection manager has
   * agreed with the peer on another GID and sequence number than those of {@link #endpoint}, which
   * has them from now on.
   *
   * @param gidIndex entry of this port's GID table: the GID that the peer sends its packets to
   * @param psn sequence number of the first request packet of this side, 24 bits
   */
  void connect(QueuePairEndpoint remote, ConnectOptions options, int gidIndex, int psn);

  /**
   * Changes the rights of the peer.
   *
   * @throws IllegalStateException when the queue pair is neither in the INIT nor in the RTS state
   * @throws dev.bluebell.hca.HcaException when the device refuses, also because a request has moved
   *     the queue pair to the error state
   */
  void modifyAccess(Access... rights);
}
