package dev.bluebell.softnic.engine;

/**
 * A priority queue of deadlines of work. A queue pair moves its deadline with every message, so the
 * queue is lazy: it holds each work at most once, at or before its deadline, and looks again when
 * that time has come. Owned by the thread that runs the engine.
 */
final class TimerQueue {
  /** Work looked at in one go, so that many deadlines at once do not block everything else. */
  private static final int LOOKS = 16;

  private final RankedQueue<Work> queue = new RankedQueue<>();

  void remove(Work work) {
    queue.remove(work);
  }

  /** Adds the work's deadline. */
  void schedule(Work work) {
    long deadline = work.deadline();
    if (deadline < Long.MAX_VALUE && (!work.ranked || deadline < work.rank)) {
      queue.add(work, deadline);
    }
  }

  /**
   * Earliest time at which {@link #run} may have something to do; {@link Long#MAX_VALUE} for never.
   */
  long next() {
    return queue.firstRank();
  }

  /** Earliest deadline, ignoring those that were put off; {@link Long#MAX_VALUE} for none. */
  long nextDeadline() {
    Work work = queue.first();
    while (work != null && work.deadline() > work.rank) {
      remove(work);
      schedule(work);
      work = queue.first();
    }
    return next();
  }

  /** Fires expired deadlines, or some of them if there are many; returns how many. */
  int run(long now) {
    int done = 0;
    for (int looks = 0; looks < LOOKS; looks++) {
      Work work = queue.first();
      if (work == null || work.rank > now) {
        return done;
      }
      remove(work);
      boolean goesOn = true;
      if (work.deadline() <= now) {
        goesOn = Guard.onTimer(work);
        done++;
      }
      if (goesOn) {
        schedule(work);
      }
    }
    return done;
  }
}
