package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * Waits a moment for a client that has nothing to do just now. One that posts, polls and posts
 * again is idle after each of its turns for as long as that takes it. If somebody else with long
 * turns had one each time, the first would have a turn of a microsecond between two of a hundred,
 * and would be left with a hundredth of the device however little it had had. So a long turn of
 * another client waits for it, and the time is charged to the one that is waited for: nobody gets
 * more by it than an equal share. Owned by whoever runs the engine.
 */
final class Anticipation {
  /** How long the device waits, in nanoseconds: what a poll and the next requests take. */
  static final long PATIENCE_NANOS = 10_000;

  /** How often it looks meanwhile at most, also on a clock that stands still. */
  private static final int MOST_LOOKS = 1_000;

  private @Nullable Client awaited;
  private long since;

  // How long a turn of another client has waited for it.
  private long waited;
  private int looks;

  /** A client has done all that it had, while others have more to do. */
  void left(Client client, long now) {
    awaited = client;
    since = now;
    waited = 0;
    looks = 0;
  }

  /** A client has something to do again: it is charged what was waited for it. */
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

  /** True when the turn of a client has to wait for somebody who had less than it. */
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
    // It is busy with something else.
    returned(client);
    return false;
  }
}
