package dev.bluebell.connect;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** Somebody who asks for a connection. Is accepted or rejected once. Not thread-safe. */
public interface ConnectionRequest {

  /** Where it comes from. */
  InetSocketAddress from();

  /** What the other side tells, which is not to be trusted. */
  Offer offer();

  /**
   * Makes a queue pair, connects it to the other side's, and waits until that is ready.
   *
   * @param queuePair makes one, which then belongs to the connection
   * @param offer what this side tells
   * @throws ConnectionException when the other side is gone or can't be reached
   */
  default RdmaConnection accept(Supplier<RcQueuePair> queuePair, Offer offer)
      throws ConnectionException {
    return accept(queuePair, offer, ConnectOptions.DEFAULT);
  }

  /** Accepts with options of the queue pair, as {@link #accept(Supplier, Offer)}. */
  RdmaConnection accept(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options)
      throws ConnectionException;

  /**
   * Says no.
   *
   * @param privateData why, at most 148 bytes, as RDMA CM has it
   */
  void reject(byte... privateData);
}
