package dev.bluebell.softnic.engine;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A program that shares the device with others, as the engine knows it: its active work, its
 * deadlines, and the time that it has had. Programs take turns with each other first, and the work
 * of each takes turns with itself second. Owned by whoever runs the engine.
 */
public final class Program {
  private Work[] active = new Work[64];
  private int head;
  private int count;
  private final TimerQueue timers = new TimerQueue();

  // The engine's own notes.
  boolean ready;
  boolean timed;
  long used;
  long commanded;
  boolean listed;

  // Turns that wait for a page of its memory; it has no other turn until they have it.
  int frozen;

  // Work of others that has something for it.
  final Set<Work> callers = new LinkedHashSet<>();

  // Turns in its name, or for its memory, that wait for a page. Its commands wait for them: they
  // may destroy what the turn uses. Guarded by the ownership.
  int held;

  Program() {}

  // ---- active work

  /** Active work that waits for a turn. */
  int count() {
    return count;
  }

  /** Appends work that is not active; true when the program may have had nothing to do before. */
  void add(Work work) {
    work.active = true;
    if (count == active.length) {
      grow();
    }
    active[head + count & active.length - 1] = work;
    count++;
  }

  private void grow() {
    Work[] larger = new Work[2 * active.length];
    for (int i = 0; i < count; i++) {
      larger[i] = active[head + i & active.length - 1];
    }
    active = larger;
    head = 0;
  }

  /** Takes the work whose turn it is, of which there is some. */
  Work take() {
    Work work = active[head];
    head = head + 1 & active.length - 1;
    count--;
    work.active = false;
    return work;
  }

  /** Lets chance say whose turn it is. */
  void draw(Adversary from) {
    int drawn = head + from.below(count) & active.length - 1;
    Work next = active[drawn];
    active[drawn] = active[head];
    active[head] = next;
  }

  /** Forgets work that is gone. */
  void remove(Work work) {
    timers.remove(work);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      Work other = active[head + i & active.length - 1];
      if (!other.equals(work)) {
        active[head + kept++ & active.length - 1] = other;
      }
    }
    count = kept;
    work.active = false;
  }

  // ---- deadlines

  TimerQueue timers() {
    return timers;
  }
}
