package dev.bluebell.connect;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.function.Supplier;

/** Makes any number of connections to a server. Thread-safe. */
public interface RdmaClient {

  /**
   * Creates a queue pair and connects it to one of the server's.
   *
   * <p>By RDMA CM, an interrupt ends this method with a {@link ConnectionException}, and the thread
   * stays interrupted. Over TCP, this is so on virtual threads; a platform thread waits until the
   * server answers or the deadline is over.
   *
   * @param queuePair creates a queue pair, which then belongs to the connection; called again for
   *     {@link #reconnect}
   * @param offer offer of this side, with at most {@link Offer#MAX_CONNECT_BYTES} private bytes
   * @throws IllegalArgumentException when the offer has more private bytes
   * @throws RejectedException when the server rejects the connection
   * @throws ConnectionException when the server cannot be reached, does not answer in time or fails
   *     to accept, or when this side fails to create or connect the queue pair
   */
  default RdmaConnection connect(Supplier<RcQueuePair> queuePair, Offer offer)
      throws ConnectionException {
    return connect(queuePair, offer, ConnectOptions.DEFAULT);
  }

  /** Connects with options of the queue pair, as {@link #connect(Supplier, Offer)}. */
  RdmaConnection connect(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options)
      throws ConnectionException;

  /**
   * Closes a connection of this client and makes a new one in the same way, with a new queue pair.
   * Retries while the server cannot be reached or fails to accept: after 10 ms, then after twice as
   * long each time, up to a second. A rejection, or a failure of this side such as a closed
   * protection domain, ends it at once.
   *
   * @param before the connection to close; its requests whose completions have not been polled
   *     never complete. It can be passed again when this method fails
   * @param patience maximum time to wait, for all attempts together; a single attempt is always
   *     made, and has 100 ms at least. The deadline of the options limits each attempt
   * @throws RejectedException when the server rejects the connection
   * @throws ConnectionException when the last attempt that fits in this time fails, or an attempt
   *     fails on this side
   */
  RdmaConnection reconnect(RdmaConnection before, Duration patience)
      throws ConnectionException, InterruptedException;
}
