package dev.bluebell.connect;

import java.time.Duration;

/**
 * Options for connections by the RDMA connection manager.
 *
 * @param maxPending maximum number of connection requests that a server holds at a time, 1 … 1024;
 *     it drops further ones. Default 64.
 * @param deadline time in which a connection must be established, 1 ms … 1 h. The messages of the
 *     connection manager are repeated after 4 to 6 seconds when the network loses them. Default 20
 *     s.
 */
public record RdmaCmOptions(int maxPending, Duration deadline) {
  public static final RdmaCmOptions DEFAULT = new RdmaCmOptions(64, Duration.ofSeconds(20));

  /** Checks the ranges. */
  public RdmaCmOptions {
    if (maxPending < 1 || maxPending > 1024) {
      throw new IllegalArgumentException("maxPending is 1 to 1024, not " + maxPending);
    }
    TcpOptions.requireRange("a deadline is", deadline);
  }

  /** The same with another number of pending requests. */
  public RdmaCmOptions withMaxPending(int requests) {
    return new RdmaCmOptions(requests, deadline);
  }

  /** The same with another deadline. */
  public RdmaCmOptions withDeadline(Duration time) {
    return new RdmaCmOptions(maxPending, time);
  }
}
