package dev.bluebell.softnic.engine;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Deadlines of work. A queue pair moves its deadline with every message, so the queue is lazy: it
 * holds each work at most once, at or before its deadline, and looks again when that time has come.
 * Owned by whoever runs the engine.
 */
final class TimerQueue {
  /** Work that is looked at in one go, so that a crowd of deadlines does not stop all else. */
  private static final int LOOKS = 16;

  private final PriorityQueue<Work> queue =
      new PriorityQueue<>(Comparator.comparingLong((Work work) -> work.timerAt));

  void remove(Work work) {
    if (work.timed) {
      queue.remove(work);
      work.timed = false;
    }
  }

  /** Takes note of the work's deadline. */
  void schedule(Work work) {
    long deadline = work.deadline();
    if (deadline == Long.MAX_VALUE || work.timed && work.timerAt <= deadline) {
      return;
    }
    remove(work);
    work.timerAt = deadline;
    work.timed = true;
    queue.add(work);
  }

  /**
   * Earliest time at which {@link #run} may have something to do; {@link Long#MAX_VALUE} for never.
   */
  long next() {
    Work work = queue.peek();
    return work == null ? Long.MAX_VALUE : work.timerAt;
  }

  /** Earliest deadline, without those that were put off; {@link Long#MAX_VALUE} for none. */
  long nextDeadline() {
    Work work = queue.peek();
    while (work != null && work.deadline() > work.timerAt) {
      remove(work);
      schedule(work);
      work = queue.peek();
    }
    return work == null ? Long.MAX_VALUE : work.timerAt;
  }

  /** Tells the work whose deadline has come, or some of it if there is much; how many. */
  int run(long now) {
    int done = 0;
    for (int looks = 0; looks < LOOKS && next() <= now; looks++) {
      Work work = queue.remove();
      work.timed = false;
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
