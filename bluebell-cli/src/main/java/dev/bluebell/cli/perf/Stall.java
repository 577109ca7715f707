package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import java.util.concurrent.TimeUnit;

/**
 * What a poller does when it finds nothing: it yields its processor now and then, which the
 * device's thread may need, and gives up when nothing completes any more.
 */
final class Stall {
  /** How many seconds it waits for a completion at most, where 30 are too many. */
  static final String PATIENCE = "bluebell.perf.patience";

  private static final int POLLS_BETWEEN_YIELDS = 1 << 7;

  private final long limitSeconds = Long.getLong(PATIENCE, 30);
  private final Runnable look;
  private int emptyPolls;
  private long since;

  /** Waits for what this process does itself. */
  Stall() {
    this(() -> {});
  }

  /**
   * Waits for what another process does.
   *
   * @param look is called now and then, and throws when that process is gone
   */
  Stall(Runnable look) {
    this.look = look;
  }

  /** Forgets what was noted, because something new is waited for. */
  void restart() {
    emptyPolls = 0;
    since = 0;
  }

  /** Notes how many completions a poll found. */
  void note(int completions) {
    if (completions > 0) {
      restart();
      return;
    }
    Thread.onSpinWait();
    if (++emptyPolls % POLLS_BETWEEN_YIELDS == 0) {
      Thread.yield();
      look();
    }
  }

  private void look() {
    look.run();
    long now = System.nanoTime();
    if (since == 0) {
      since = now;
    } else if (now - since > TimeUnit.SECONDS.toNanos(limitSeconds)) {
      throw new WorkFailed(
          "nothing completed for %d s although requests are outstanding: the device lost a completion"
              .formatted(limitSeconds));
    }
  }
}
