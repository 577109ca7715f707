package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * Delays a long turn for a client that had less time and is likely to post again in a moment.
 *
 * <p>A client that posts, polls and posts again is idle for some microseconds after each of its
 * turns. If another client had a long turn each time, the first would have one short turn between
 * two long ones, and get a small part of its share. The device charges the wait to the first
 * client, so it still gets no more than an equal share. Owned by the thread that runs the engine.
 */
final class Anticipation {
  /** How long the device waits, in nanoseconds: enough for a poll and the next posts. */
  static final long PATIENCE_NANOS = 10_000;

  /** Looks per wait are bounded because the clock may stand still. */
  private static final int MOST_LOOKS = 1_000;

  private @Nullable Client awaited;
  private long since;

  // How long another client's turn was delayed.
  private long waited;
  private int looks;

  /** A client has no more work. */
  void left(Client client, long now) {
    awaited = client;
    since = now;
    waited = 0;
    looks = 0;
  }

  /** A client has work again: it is charged for the wait. */
  void returned(Client client) {
    if (client == awaited) {
      client.used += waited;
      awaited = null;
    }
  }

  /** Forgets a client that is gone. */
  void forget(Client client) {
    if (client == awaited) {
      awaited = null;
    }
  }

  /** True when the turn of a client has to wait for one that had less time. */
  boolean delays(Client next, long now) {
    Client client = awaited;
    if (client == null || next.usualTurn < PATIENCE_NANOS || client.used >= next.used) {
      return false;
    }
    if (now - since < PATIENCE_NANOS && looks < MOST_LOOKS) {
      looks++;
      waited = now - since;
      return true;
    }
    // It has not posted again in time.
    returned(client);
    return false;
  }
}
