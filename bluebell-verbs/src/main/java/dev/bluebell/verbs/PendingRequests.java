package dev.bluebell.verbs;

import java.util.Arrays;

/**
 * Requests that were posted and will never complete, because their queue pair was reset or
 * destroyed before a poll told of them. Immutable.
 *
 * <p>A request that ended unsignalled counts until a later one was polled: whether it was executed,
 * nobody knows.
 */
public final class PendingRequests {
  /** No requests at all. */
  public static final PendingRequests NONE = new PendingRequests(new long[0], new long[0]);

  private final long[] sends;
  private final long[] receives;

  /**
   * Names requests by their ids.
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
