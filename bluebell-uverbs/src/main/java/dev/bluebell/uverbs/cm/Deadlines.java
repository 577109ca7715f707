package dev.bluebell.uverbs.cm;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * What waits for answers on the network, by the time at which each stops waiting. One timer of the
 * {@link ConnectionManager} serves all of it. Guarded by the {@link ConnectionManager}.
 */
final class Deadlines {
  private final ConnectionManager manager;
  private final TreeSet<Waiting> waiting =
      new TreeSet<>(
          Comparator.comparingLong((Waiting each) -> each.due).thenComparing(w -> w.number));

  private long numbers;

  // The earliest time for which the timer is set.
  private long wakeAt = Long.MAX_VALUE;

  Deadlines(ConnectionManager manager) {
    this.manager = manager;
  }

  /** Something that waits. */
  abstract static class Waiting {
    private final long number;
    private long due;

    Waiting(Deadlines deadlines) {
      number = deadlines.numbers++;
    }

    /** Its time has come; it does not wait any more. */
    abstract void expire();
  }

  /** Waits anew, for so long. */
  void set(Waiting which, long nanos) {
    waiting.remove(which);
    which.due = manager.now() + nanos;
    waiting.add(which);
    wakeBy(which.due);
  }

  /** Waits no more. */
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
      // The timer was set for an earlier time meanwhile, and for this one again after that.
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
