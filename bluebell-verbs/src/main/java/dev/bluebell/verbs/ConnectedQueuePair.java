package dev.bluebell.verbs;

/** A queue pair that communicates with one peer, by a connection. Thread-safe. */
public interface ConnectedQueuePair {

  /** Returns the address that the peer connects to. It changes with each reset. */
  QueuePairEndpoint endpoint();

  /** Connects to a peer, which must also connect to this queue pair's {@link #endpoint}. */
  default void connect(QueuePairEndpoint remote) {
    connect(remote, ConnectOptions.DEFAULT);
  }

  /**
   * Connects to a peer and makes the queue pair ready to send. The peer must connect to this queue
   * pair's {@link #endpoint} before the first request arrives there.
   *
   * @throws IllegalArgumentException when the peer's port has another link layer
   * @throws IllegalStateException when the queue pair is not in the INIT state
   * @throws dev.bluebell.hca.HcaException when the device refuses; reset the queue pair to try
   *     again
   */
  void connect(QueuePairEndpoint remote, ConnectOptions options);
}
