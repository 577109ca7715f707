package dev.bluebell.connect;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.function.Supplier;

/** Connects to a server, as often as it is asked to. Thread-safe. */
public interface RdmaClient {

  /**
   * Makes a queue pair and connects it to one of the server's.
   *
   * @param queuePair makes one, which then belongs to the connection; called again for {@link
   *     #reconnect}
   * @param offer what this side tells, with at most {@link Offer#MAX_CONNECT_BYTES} private bytes
   * @throws RejectedException when the server says no
   * @throws ConnectionException when it can't be reached or does not answer in time
   */
  default RdmaConnection connect(Supplier<RcQueuePair> queuePair, Offer offer)
      throws ConnectionException {
    return connect(queuePair, offer, ConnectOptions.DEFAULT);
  }

  /** Connects with options of the queue pair, as {@link #connect(Supplier, Offer)}. */
  RdmaConnection connect(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options)
      throws ConnectionException;

  /**
   * Closes a connection of this client, and makes another one with a new queue pair in the same
   * way. Tries again while the server can't be reached: after 10 ms, and then each time after twice
   * as long, up to a second.
   *
   * @param before its requests that have not been polled never complete; when this fails, it may be
   *     given again
   * @param patience how long at most
   * @throws RejectedException when the server says no
   * @throws ConnectionException when the time is over
   */
  RdmaConnection reconnect(RdmaConnection before, Duration patience)
      throws ConnectionException, InterruptedException;
}
