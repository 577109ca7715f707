package dev.bluebell.connect;

import dev.bluebell.verbs.RcQueuePair;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A queue pair that is connected to a peer's. When the connection ends for any reason, its queue
 * pair moves to the error state, and all its requests complete as flushed. Thread-safe; the queue
 * pair has the usual thread rules.
 *
 * <p>If no request is outstanding, no completion comes: usually so when the queue pair receives
 * from a {@link dev.bluebell.verbs.SharedReceiveQueue}. To wake a thread that waits for
 * completions, use {@code connection.ended().thenRun(completions::wakeup)}.
 */
public interface RdmaConnection extends AutoCloseable {

  /** The queue pair of this side. */
  RcQueuePair queuePair();

  /** The peer's offer. Do not trust it. */
  Offer offer();

  /** Address of the peer. */
  InetSocketAddress peer();

  /**
   * True until {@link #ended} completes. When false, the queue pair was moved to the error state,
   * and the future has the reason.
   */
  boolean isOpen();

  /**
   * Completes when the connection has ended, after its queue pair was moved to the error state. A
   * request that fails does not end the connection: close it then. Always the same future, so a
   * loop can poll it. Its dependent actions run on a thread of this connection, or on the thread
   * that ends it or that adds them afterwards; they may block and {@linkplain RdmaClient#reconnect
   * reconnect}.
   */
  CompletableFuture<Ending> ended();

  /**
   * Notifies the peer and ends the connection. A peer that does not read its messages delays this
   * by a second at most, and may not be notified. Idempotent.
   */
  void disconnect();

  /**
   * Disconnects, and closes the queue pair. Idempotent.
   *
   * <p>If the queue pair receives from a {@link dev.bluebell.verbs.SharedReceiveQueue}, first call
   * {@link #disconnect}, and let the queue pair flush as described there.
   */
  @Override
  void close();
}
