package dev.bluebell.verbs.ring;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by a number in constant time. Changes are thread-safe; look-ups take no lock and
 * allocate nothing.
 *
 * @param <T> type of the objects
 */
public final class NumberTable<T> {
  private static final int MIN_SLOTS = 16;

  /** Spreads numbers that count up by a power of two, as keys do. */
  private static final int HASH = 0x9e3779b9;

  /** At most half of its slots are taken, so that each look-up terminates. */
  private volatile AtomicReferenceArray<@Nullable Entry<T>> slots =
      new AtomicReferenceArray<>(MIN_SLOTS);

  /** Slots that are taken, those of removed numbers included. */
  private int taken;

  /** Returns the object with the number; null when there is none. */
  public @Nullable T get(int number) {
    AtomicReferenceArray<@Nullable Entry<T>> current = slots;
    Entry<T> entry = current.getAcquire(find(current, number));
    return entry == null ? null : entry.value;
  }

  /** Adds an object under a number, and replaces a previous one. */
  public synchronized void put(int number, T value) {
    if (2 * (taken + 1) > slots.length()) {
      grow();
    }
    set(slots, new Entry<>(number, value));
  }

  /** Removes an object, unless its number has another one by now. */
  @SuppressWarnings("ReferenceEquality")
  public synchronized void remove(int number, T value) {
    int slot = find(slots, number);
    Entry<T> entry = slots.getPlain(slot);
    if (entry != null && entry.value == value) {
      // The slot stays taken: a look-up of another number may have to pass it.
      slots.setRelease(slot, new Entry<>(number, null));
    }
  }

  private void set(AtomicReferenceArray<@Nullable Entry<T>> into, Entry<T> entry) {
    int slot = find(into, entry.number);
    if (into.getPlain(slot) == null) {
      taken++;
    }
    into.setRelease(slot, entry);
  }

  /** Enlarges the table, without removed entries. */
  private void grow() {
    AtomicReferenceArray<@Nullable Entry<T>> old = slots;
    int live = 0;
    for (int i = 0; i < old.length(); i++) {
      live += isLive(old.getPlain(i)) ? 1 : 0;
    }
    int length = Math.max(MIN_SLOTS, Integer.highestOneBit(live + 1) << 3);
    AtomicReferenceArray<@Nullable Entry<T>> larger = new AtomicReferenceArray<>(length);
    taken = 0;
    for (int i = 0; i < old.length(); i++) {
      Entry<T> entry = old.getPlain(i);
      if (entry != null && isLive(entry)) {
        set(larger, entry);
      }
    }
    slots = larger;
  }

  private static boolean isLive(@Nullable Entry<?> entry) {
    return entry != null && entry.value != null;
  }

  /** The slot of a number, or the free one where it belongs. */
  private static <T> int find(AtomicReferenceArray<@Nullable Entry<T>> in, int number) {
    int mask = in.length() - 1;
    int slot = (number * HASH >>> 8) & mask;
    while (true) {
      Entry<T> entry = in.getAcquire(slot);
      if (entry == null || entry.number == number) {
        return slot;
      }
      slot = slot + 1 & mask;
    }
  }

  /** A number and its object; null when it was removed. */
  private record Entry<T>(int number, @Nullable T value) {}
}
