package dev.bluebell.softnic.engine;

import dev.bluebell.softnic.transport.QueuePair;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Timers of queue pairs. A queue pair moves its deadline with every message, so the queue is lazy:
 * it holds each queue pair at most once, at or before its deadline, and looks again when that time
 * has come. Owned by whoever runs the engine.
 */
final class TimerQueue {
  private static final class Timer {
    final QueuePair queuePair;
    long at = Long.MAX_VALUE;
    boolean queued;

    Timer(QueuePair queuePair) {
      this.queuePair = queuePair;
    }
  }

  private final PriorityQueue<Timer> queue =
      new PriorityQueue<>(Comparator.comparingLong((Timer timer) -> timer.at));
  private final Map<QueuePair, Timer> timers = new HashMap<>();

  void add(QueuePair queuePair) {
    timers.put(queuePair, new Timer(queuePair));
  }

  void remove(QueuePair queuePair) {
    Timer timer = timers.remove(queuePair);
    if (timer != null && timer.queued) {
      queue.remove(timer);
    }
  }

  /** Takes note of the queue pair's deadline. */
  void schedule(QueuePair queuePair) {
    Timer timer = timers.get(queuePair);
    long deadline = queuePair.deadline();
    if (timer == null || deadline == Long.MAX_VALUE || (timer.queued && timer.at <= deadline)) {
      return;
    }
    if (timer.queued) {
      queue.remove(timer);
    }
    timer.at = deadline;
    timer.queued = true;
    queue.add(timer);
  }

  /**
   * Earliest time at which {@link #run} may have something to do; {@link Long#MAX_VALUE} for never.
   */
  long next() {
    Timer timer = queue.peek();
    return timer == null ? Long.MAX_VALUE : timer.at;
  }

  /** Tells the queue pairs whose deadline has come; how many. */
  int run(long now) {
    int done = 0;
    while (next() <= now) {
      Timer timer = queue.remove();
      timer.queued = false;
      if (timer.queuePair.deadline() <= now) {
        timer.queuePair.onTimer();
        done++;
      }
      schedule(timer.queuePair);
    }
    return done;
  }
}
