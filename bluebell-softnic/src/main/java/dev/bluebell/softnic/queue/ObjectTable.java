package dev.bluebell.softnic.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A table of objects of one kind by number. Numbers are handed out in rotation or at random, so
 * that a number is rarely reused soon after its object was destroyed. Owned by the thread that runs
 * the engine.
 */
public final class ObjectTable<T> {
  private final int first;
  private final int limit;
  private final @Nullable RandomGenerator random;
  private final Map<Integer, IntConsumer[]> uses = new HashMap<>();
  private @Nullable Object[] objects = new Object[64];
  private int next;
  private int count;
  private int changes;

  /**
   * @param first the lowest number
   * @param limit one more than the highest number
   */
  public ObjectTable(int first, int limit) {
    this(first, limit, null);
  }

  /**
   * @param first the lowest number
   * @param limit one more than the highest number
   * @param random draws the numbers, so that they can't be guessed; null for rotation
   */
  public ObjectTable(int first, int limit, @Nullable RandomGenerator random) {
    this.first = first;
    this.limit = limit;
    this.random = random;
    next = first;
  }

  /** Reserves a number; −1 when all are in use. */
  public int allocate() {
    if (count == limit - first) {
      return -1;
    }
    if (random != null) {
      next = random.nextInt(first, limit);
    }
    while (find(next) != null) {
      advance();
    }
    int number = next;
    advance();
    return number;
  }

  private void advance() {
    next = next + 1 == limit ? first : next + 1;
  }

  /**
   * Adds an object under a number that is reserved or free.
   *
   * @param used the counters of the objects that it uses, which count their users: each gets 1 now,
   *     and −1 when the object is removed
   */
  public void put(int number, T object, IntConsumer... used) {
    int at = number - first;
    if (at >= objects.length) {
      objects = Arrays.copyOf(objects, Math.max(at + 1, 2 * objects.length));
    }
    objects[at] = object;
    count++;
    changes++;
    if (used.length > 0) {
      uses.put(number, used);
      count(used, 1);
    }
  }

  /** The object with this number, any 32 bits; null when there is none. */
  @SuppressWarnings("unchecked")
  public @Nullable T find(int number) {
    int at = number - first;
    return Integer.compareUnsigned(at, objects.length) < 0 ? (T) objects[at] : null;
  }

  /** Removes an object, which then uses no other one. */
  public void remove(int number) {
    objects[number - first] = null;
    count--;
    changes++;
    IntConsumer[] used = uses.remove(number);
    if (used != null) {
      count(used, -1);
    }
  }

  private static void count(IntConsumer[] users, int delta) {
    for (IntConsumer counter : users) {
      counter.accept(delta);
    }
  }

  /**
   * A counter that changes whenever an object is added or removed, so that callers know when to
   * look a cached object up again.
   */
  public int changes() {
    return changes;
  }

  public int count() {
    return count;
  }

  /** All objects, in the order of their numbers. */
  @SuppressWarnings("unchecked")
  public List<T> all() {
    List<T> all = new ArrayList<>(count);
    for (Object object : objects) {
      if (object != null) {
        all.add((T) object);
      }
    }
    return all;
  }

  /** Number of slots; objects lie in them in the order of their numbers. */
  public int slots() {
    return objects.length;
  }

  /** The object in a slot; null when there is none. */
  @SuppressWarnings("unchecked")
  public @Nullable T atSlot(int slot) {
    return (T) objects[slot];
  }
}
