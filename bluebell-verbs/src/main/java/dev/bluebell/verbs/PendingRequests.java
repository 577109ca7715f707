package dev.bluebell.verbs;

import java.util.Arrays;

/**
 * Posted requests that will never complete, because their queue pair was reset or destroyed before
 * their completions were polled. Immutable.
 *
 * <p>An unsignalled request counts until a later completion was polled; it may or may not have been
 * executed.
 */
public final class PendingRequests {
  /** No requests at all. */
  public static final PendingRequests NONE = new PendingRequests(new long[0], new long[0]);

  private final long[] sends;
  private final long[] receives;

  /**
   * Lists requests by their ids.
   *
   * @param sends oldest first
   * @param receives oldest first
   */
  public PendingRequests(long[] sends, long[] receives) {
    this.sends = sends;
    this.receives = receives;
  }

  /** Ids of the send requests, oldest first. */
  public long[] sends() {
    return sends.clone();
  }

  /** Ids of the receive requests, oldest first. */
  public long[] receives() {
    return receives.clone();
  }

  @Override
  public String toString() {
    return "sends %s, receives %s".formatted(Arrays.toString(sends), Arrays.toString(receives));
  }
}
