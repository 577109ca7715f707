package dev.bluebell.connect;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** A client's request for a connection, to be accepted or rejected once. Not thread-safe. */
public interface ConnectionRequest {
  /** Maximum number of private bytes of a rejection, as in RDMA CM. */
  int MAX_REJECT_BYTES = 148;

  /** Address of the client. */
  InetSocketAddress from();

  /** The client's offer. Do not trust it. */
  Offer offer();

  /**
   * Creates a queue pair, connects it to the client's, and waits until the client's is ready. Call
   * it before the client's deadline. An interrupt has the effect that it has on {@link
   * RdmaClient#connect(Supplier, Offer)}.
   *
   * <p>Another thread can poll messages of the client before this method returns: if it finds
   * sessions by queue pair numbers, add the session in the supplier.
   *
   * @param queuePair creates a queue pair, which then belongs to the connection
   * @param offer offer of this side
   * @throws ConnectionException when the client is gone or cannot be reached, or when this side
   *     fails to create or connect the queue pair
   * @throws IllegalStateException when the request was already answered
   */
  default RdmaConnection accept(Supplier<RcQueuePair> queuePair, Offer offer)
      throws ConnectionException {
    return accept(queuePair, offer, ConnectOptions.DEFAULT);
  }

  /** Accepts with options of the queue pair, as {@link #accept(Supplier, Offer)}. */
  RdmaConnection accept(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options)
      throws ConnectionException;

  /**
   * Rejects the request.
   *
   * @param privateData reason, at most {@link #MAX_REJECT_BYTES} bytes
   * @throws IllegalArgumentException when it is longer
   * @throws IllegalStateException when the request was already answered
   */
  void reject(byte... privateData);
}
