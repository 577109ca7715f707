package dev.bluebell.connect;

import dev.bluebell.verbs.RcQueuePair;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A queue pair that is connected to a peer's. When the connection ends, for whatever reason, its
 * queue pair is moved to the error state, so that all its requests complete as flushed and who
 * polls hears of it. Thread-safe; the queue pair is as any other.
 */
public interface RdmaConnection extends AutoCloseable {

  /** The queue pair of this side. */
  RcQueuePair queuePair();

  /** What the peer told, which is not to be trusted. */
  Offer offer();

  /** Where the peer is. */
  InetSocketAddress peer();

  /** True until the connection has ended. */
  boolean isOpen();

  /** Completes when the connection has ended, after its queue pair was moved to the error state. */
  CompletableFuture<Ending> ended();

  /** Tells the peer that this side disconnects, and ends the connection. Idempotent. */
  void disconnect();

  /** Disconnects, and closes the queue pair. Idempotent. */
  @Override
  void close();
}
