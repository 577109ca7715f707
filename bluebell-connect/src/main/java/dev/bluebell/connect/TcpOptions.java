package dev.bluebell.connect;

import java.time.Duration;

/**
 * How connections are made over TCP.
 *
 * @param maxPending requests for connections that a server holds at a time, those that have not
 *     said what they want included; more are turned away. Default 64.
 * @param deadline for each side to answer while a connection is made. Default 5 s.
 * @param keepalive how long a peer of a connection may be silent before it is asked for a sign of
 *     life; when it has been silent for three times as long, it is lost. Zero, the default, asks
 *     nobody: a peer whose process ends is noticed all the same, as its system closes the
 *     connection; one whose machine or network fails is noticed by the next request alone, when its
 *     retries are used up, and never by who only waits for messages.
 */
public record TcpOptions(int maxPending, Duration deadline, Duration keepalive) {
  // Before the default, which is checked.
  private static final Duration LONGEST = Duration.ofHours(1);

  public static final TcpOptions DEFAULT = new TcpOptions(64, Duration.ofSeconds(5), Duration.ZERO);

  /** Checks the ranges. */
  public TcpOptions {
    if (maxPending < 1 || maxPending > 1 << 16) {
      throw new IllegalArgumentException("maxPending is 1 to 65536, not " + maxPending);
    }
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("a deadline is 1 ms to 1 h, not " + deadline);
    }
    if (!keepalive.isZero()
        && (keepalive.compareTo(Duration.ofMillis(1)) < 0 || keepalive.compareTo(LONGEST) > 0)) {
      throw new IllegalArgumentException("keepalive is 0, or 1 ms to 1 h, not " + keepalive);
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
