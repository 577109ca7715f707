package dev.bluebell.softnic.engine;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engine's record of a client that shares the device: its active work, its deadlines, and the
 * time that it has had. Clients take turns with each other, and within a client's turns, its work
 * does. Owned by the thread that runs the engine.
 */
public final class Client {
  // A ring. Removed work leaves a gap, so a client with much work can close quickly.
  private @Nullable Work[] active = new Work[64];
  private int head;
  private int span;
  private int count;
  private final TimerQueue timers = new TimerQueue();

  // The engine's own notes.
  boolean ready;
  boolean timed;
  long used;
  long commanded;
  boolean listed;

  // Moving average of what its turns take while the device is shared, in nanoseconds.
  long usualTurn;

  // Number of turns that wait for a page of its memory; it gets no other turn until they have it.
  int frozen;

  // Work, usually of other clients, that has packets for it.
  final Set<Work> callers = new LinkedHashSet<>();

  // Number of its own turns, or turns that use its memory, that wait for a page. Its commands wait
  // for them because a command may destroy what the turn uses. Guarded by the ownership.
  int held;

  Client() {}

  void charge(long nanos) {
    used += nanos;
    usualTurn += (nanos - usualTurn) / 8;
  }

  // ---- active work

  /** Active work that waits for a turn. */
  int count() {
    return count;
  }

  /** Appends work that is not active. */
  void add(Work work) {
    work.active = true;
    if (span == active.length) {
      close(count > span / 2 ? 2 * span : span);
    }
    put(span++, work);
    count++;
  }

  private void put(int index, Work work) {
    int place = head + index & active.length - 1;
    active[place] = work;
    work.place = place;
  }

  /** Moves all work into a ring without gaps. */
  private void close(int length) {
    @Nullable Work[] before = active;
    int first = head;
    int all = span;
    active = new Work[length];
    head = 0;
    span = 0;
    for (int i = 0; i < all; i++) {
      Work work = before[first + i & before.length - 1];
      if (work != null) {
        put(span++, work);
      }
    }
  }

  /** Takes the work whose turn it is; there must be some. */
  Work take() {
    Work work = active[head];
    while (work == null) {
      skip();
      work = active[head];
    }
    active[head] = null;
    skip();
    count--;
    work.active = false;
    return work;
  }

  private void skip() {
    head = head + 1 & active.length - 1;
    span--;
  }

  /** Draws the work that has the next turn. */
  void draw(Adversary from) {
    if (span > count) {
      close(active.length);
    }
    int drawn = from.below(count);
    Work next = Objects.requireNonNull(active[head + drawn & active.length - 1]);
    put(drawn, Objects.requireNonNull(active[head]));
    put(0, next);
  }

  /** Removes work, which leaves a gap in the ring. */
  void remove(Work work) {
    timers.remove(work);
    if (work.active && work.equals(active[work.place])) {
      active[work.place] = null;
      count--;
    }
    work.active = false;
  }

  // ---- deadlines

  TimerQueue timers() {
    return timers;
  }
}
