package dev.bluebell.uverbs.cm;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * The timeouts of everything that waits for an answer, by deadline. They share one timer of the
 * {@link ConnectionManager}. Guarded by the {@link ConnectionManager}.
 */
final class Deadlines {
  private final ConnectionManager manager;
  private final TreeSet<Waiting> waiting =
      new TreeSet<>(
          Comparator.comparingLong((Waiting each) -> each.due).thenComparing(w -> w.number));

  private long numbers;

  // The time for which the timer is set.
  private long wakeAt = Long.MAX_VALUE;

  Deadlines(ConnectionManager manager) {
    this.manager = manager;
  }

  /** A waiter with a deadline. */
  abstract static class Waiting {
    private final long number;
    private long due;

    Waiting(Deadlines deadlines) {
      number = deadlines.numbers++;
    }

    /** Called at the deadline, when it no longer waits. */
    abstract void expire();
  }

  /** Restarts a timeout. */
  void set(Waiting which, long nanos) {
    waiting.remove(which);
    which.due = manager.now() + nanos;
    waiting.add(which);
    wakeBy(which.due);
  }

  /** Cancels a timeout. */
  void clear(Waiting which) {
    waiting.remove(which);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  private void wakeBy(long time) {
    if (time < wakeAt) {
      wakeAt = time;
      manager.after(Math.max(0, time - manager.now()), () -> wake(time));
    }
  }

  private void wake(long time) {
    if (time != wakeAt) {
      // Stale: the timer was set for an earlier time meanwhile, and then for this one again.
      return;
    }
    wakeAt = Long.MAX_VALUE;
    while (!waiting.isEmpty() && waiting.first().due <= manager.now()) {
      waiting.removeFirst().expire();
    }
    if (!waiting.isEmpty()) {
      wakeBy(waiting.first().due);
    }
  }
}
