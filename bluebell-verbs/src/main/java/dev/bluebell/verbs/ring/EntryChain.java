package dev.bluebell.verbs.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free entries of a queue that releases them in any order: a chain, from whose head they are
 * taken and to whose tail they come back. The last entry is never taken, so that each taken entry
 * has a successor, whose number the device needs.
 *
 * <p>One thread takes and counts. Any number of threads release: they push entries on a list, which
 * the taking thread appends to the chain later, in the order of their release.
 */
final class EntryChain {
  private static final VarHandle RELEASED =
      FieldHandles.of(MethodHandles.lookup(), EntryChain.class, "released", int.class);
  private static final int NONE = -1;

  /** Receives each new link: which entry follows another in the chain. */
  @FunctionalInterface
  interface Links {
    void link(int entry, int next);
  }

  private final Links links;
  private final int[] next;

  /** The entry below each one on the list of released entries. */
  private final int[] below;

  /** Top of the list of released entries; {@link #NONE} of an empty one. */
  @SuppressWarnings("UnusedVariable")
  private int released = NONE;

  private int head;
  private int tail;
  private int free;

  /** Creates a chain of all entries in order. */
  EntryChain(int entries, Links links) {
    this.links = links;
    next = new int[entries];
    below = new int[entries];
    tail = entries - 1;
    free = entries - 1;
    for (int entry = 0; entry < tail; entry++) {
      append(entry, entry + 1);
    }
  }

  /** The entry that is taken next. */
  int head() {
    return head;
  }

  /** The entry that is taken after {@link #head}. */
  int second() {
    return next[head];
  }

  /** Takes {@link #head}, which must be free. */
  void take() {
    head = next[head];
    free--;
  }

  /** Entries that can be taken, as far as is known: a stale count is too low. */
  int free() {
    return free;
  }

  /** Exact number of entries that can be taken: collects all released entries. */
  int exactFree() {
    int entry = (int) RELEASED.getAndSetAcquire(this, NONE);
    if (entry != NONE) {
      appendReleased(entry);
    }
    return free;
  }

  private void appendReleased(int top) {
    int first = NONE;
    for (int entry = top; entry != NONE; ) {
      int lower = below[entry];
      below[entry] = first;
      first = entry;
      entry = lower;
    }
    for (int entry = first; entry != NONE; entry = below[entry]) {
      append(tail, entry);
      tail = entry;
      free++;
    }
  }

  private void append(int entry, int behind) {
    next[entry] = behind;
    links.link(entry, behind);
  }

  /** Returns a taken entry. No other thread may return the same entry. */
  void release(int entry) {
    int top;
    do {
      top = (int) RELEASED.getAcquire(this);
      below[entry] = top;
    } while (!RELEASED.compareAndSet(this, top, entry));
  }
}
