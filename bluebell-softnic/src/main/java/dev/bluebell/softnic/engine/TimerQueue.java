package dev.bluebell.softnic.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue of deadlines of work. A queue pair moves its deadline with every message, so the
 * queue is lazy: it holds each work at most once, at or before its deadline, and looks again when
 * that time has come. Each work knows its place in the heap, so removing work is cheap however many
 * there are. Owned by the thread that runs the engine.
 */
final class TimerQueue {
  /** Work looked at in one go, so that many deadlines at once do not block everything else. */
  private static final int LOOKS = 16;

  private @Nullable Work[] heap = new Work[16];
  private int size;

  void remove(Work work) {
    if (work.timed) {
      removeAt(work.timerPlace);
      work.timed = false;
    }
  }

  /** Adds the work's deadline. */
  void schedule(Work work) {
    long deadline = work.deadline();
    if (deadline == Long.MAX_VALUE || work.timed && work.timerAt <= deadline) {
      return;
    }
    remove(work);
    work.timerAt = deadline;
    work.timed = true;
    add(work);
  }

  /**
   * Earliest time at which {@link #run} may have something to do; {@link Long#MAX_VALUE} for never.
   */
  long next() {
    Work work = heap[0];
    return work == null ? Long.MAX_VALUE : work.timerAt;
  }

  /** Earliest deadline, ignoring those that were put off; {@link Long#MAX_VALUE} for none. */
  long nextDeadline() {
    Work work = heap[0];
    while (work != null && work.deadline() > work.timerAt) {
      remove(work);
      schedule(work);
      work = heap[0];
    }
    return work == null ? Long.MAX_VALUE : work.timerAt;
  }

  /** Fires expired deadlines, or some of them if there are many; returns how many. */
  int run(long now) {
    int done = 0;
    for (int looks = 0; looks < LOOKS; looks++) {
      Work work = heap[0];
      if (work == null || work.timerAt > now) {
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

  // ---- the heap

  private void add(Work work) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    siftUp(size++, work);
  }

  private void removeAt(int place) {
    Work last = at(--size);
    heap[size] = null;
    if (place < size) {
      siftDown(place, last);
      if (last.timerPlace == place) {
        siftUp(place, last);
      }
    }
  }

  private void siftUp(int from, Work work) {
    int place = from;
    while (place > 0) {
      Work parent = at(place - 1 >>> 1);
      if (work.timerAt >= parent.timerAt) {
        break;
      }
      put(place, parent);
      place = place - 1 >>> 1;
    }
    put(place, work);
  }

  private void siftDown(int from, Work work) {
    int place = from;
    while (place < size >>> 1) {
      int child = 2 * place + 1;
      if (child + 1 < size && at(child).timerAt > at(child + 1).timerAt) {
        child++;
      }
      if (work.timerAt <= at(child).timerAt) {
        break;
      }
      put(place, at(child));
      place = child;
    }
    put(place, work);
  }

  private void put(int place, Work work) {
    heap[place] = work;
    work.timerPlace = place;
  }

  private Work at(int place) {
    return Objects.requireNonNull(heap[place]);
  }
}
