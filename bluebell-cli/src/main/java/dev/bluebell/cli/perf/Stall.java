package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import java.util.concurrent.TimeUnit;

/**
 * The behaviour of a poller that finds nothing. It yields its processor now and then, which the
 * device's thread may need, and gives up when nothing has completed for too long.
 */
final class Stall {
  /** System property for its timeout in seconds, in place of 30. */
  static final String PATIENCE = "bluebell.perf.patience";

  private static final int POLLS_BETWEEN_YIELDS = 1 << 7;

  private final long limitSeconds = Long.getLong(PATIENCE, 30);
  private final Runnable look;
  private int emptyPolls;
  private long since;

  /** Waits for this process's own work. */
  Stall() {
    this(() -> {});
  }

  /**
   * Waits for another process.
   *
   * @param look called now and then; throws when that process is gone
   */
  Stall(Runnable look) {
    this.look = look;
  }

  /** Starts again, because the poller now waits for something new. */
  void restart() {
    emptyPolls = 0;
    since = 0;
  }

  /** Notes the number of completions that a poll found. */
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
          "nothing completed for %d s although requests are outstanding: the device lost a completion or has died"
              .formatted(limitSeconds));
    }
  }
}
