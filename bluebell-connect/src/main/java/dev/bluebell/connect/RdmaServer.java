package dev.bluebell.connect;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Listens for connections. Thread-safe. */
public interface RdmaServer extends AutoCloseable {

  /** Where it listens, with the port. */
  InetSocketAddress address();

  /**
   * Waits for somebody who asks for a connection. Requests wait for so long that who asks does not
   * give up; those that waited longer are gone.
   *
   * @param timeout how long at most
   * @return null when the time is over
   * @throws dev.bluebell.verbs.ClosedException when the server is closed, also meanwhile
   */
  @Nullable ConnectionRequest next(Duration timeout) throws InterruptedException;

  /** Stops listening, and drops the requests that wait. Connections stay. Idempotent. */
  @Override
  void close();
}
