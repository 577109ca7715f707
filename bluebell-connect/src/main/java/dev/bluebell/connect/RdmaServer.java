package dev.bluebell.connect;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Listens for connections. Thread-safe. */
public interface RdmaServer extends AutoCloseable {

  /** Address and port on which it listens. */
  InetSocketAddress address();

  /**
   * Waits for a connection request. Requests are queued. When a client gives up, its request over
   * TCP is dropped; one by RDMA CM stays queued but can no longer be accepted.
   *
   * @param timeout maximum time to wait
   * @return null on timeout
   * @throws dev.bluebell.verbs.ClosedException when the server is closed, even while waiting
   */
  @Nullable ConnectionRequest next(Duration timeout) throws InterruptedException;

  /**
   * Stops listening and drops queued requests. Over TCP, it also drops requests that {@link #next}
   * has returned and that were neither accepted nor rejected yet; by RDMA CM, these can still be
   * accepted or rejected. Connections stay open. Idempotent.
   */
  @Override
  void close();
}
