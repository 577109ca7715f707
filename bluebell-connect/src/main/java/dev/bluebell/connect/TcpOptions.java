package dev.bluebell.connect;

import java.time.Duration;

/**
 * Options for connections over TCP.
 *
 * @param maxPending maximum number of connection requests that a server holds at a time, 1 … 65536,
 *     including TCP connections that have not sent their request yet; it drops further ones.
 *     Default 64.
 * @param deadline maximum time to wait for the other side while a connection is established, 1 ms …
 *     1 h. Default 5 s.
 * @param keepalive how long a peer may be silent before it is probed, 1 ms … 1 h; after three times
 *     as long, the connection counts as lost. Zero, the default, sends no probes. When the peer's
 *     process ends, its system still closes the connection. When the peer's machine or network
 *     fails, only the next request notices, after its retries; a side that only waits for messages
 *     never does.
 */
public record TcpOptions(int maxPending, Duration deadline, Duration keepalive) {
  // Before the default, whose constructor uses it.
  private static final Duration LONGEST = Duration.ofHours(1);

  public static final TcpOptions DEFAULT = new TcpOptions(64, Duration.ofSeconds(5), Duration.ZERO);

  /** Checks the ranges. */
  public TcpOptions {
    if (maxPending < 1 || maxPending > 1 << 16) {
      throw new IllegalArgumentException("maxPending is 1 to 65536, not " + maxPending);
    }
    requireRange("a deadline is", deadline);
    if (!keepalive.isZero()) {
      requireRange("keepalive is 0, or", keepalive);
    }
  }

  static void requireRange(String subject, Duration time) {
    if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("%s 1 ms to 1 h, not %s".formatted(subject, time));
    }
  }

  /** The same with another number of pending requests. */
  public TcpOptions withMaxPending(int requests) {
    return new TcpOptions(requests, deadline, keepalive);
  }

  /** The same with another deadline. */
  public TcpOptions withDeadline(Duration time) {
    return new TcpOptions(maxPending, time, keepalive);
  }

  /** The same with another keepalive; zero for none. */
  public TcpOptions withKeepalive(Duration silence) {
    return new TcpOptions(maxPending, deadline, silence);
  }
}
