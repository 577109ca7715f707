package dev.bluebell.softnic.diagnosis;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bounded store of the latest things of several owners. When it is full, the owner that has most
 * loses its oldest: an owner with many things does not displace the few of another. For one thread
 * at a time.
 */
final class SharedShelf<T> {
  private final int room;
  private final Map<Object, ArrayDeque<T>> byOwner = new IdentityHashMap<>();
  private int size;

  /**
   * @param room the most things kept, for all owners together
   */
  SharedShelf(int room) {
    this.room = room;
  }

  /** Adds a thing; returns the thing that was removed for it, or null when there was room. */
  @Nullable T add(Object owner, T thing) {
    byOwner.computeIfAbsent(owner, first -> new ArrayDeque<>()).add(thing);
    size++;
    return size > room ? removeOne() : null;
  }

  private T removeOne() {
    ArrayDeque<T> most = new ArrayDeque<>();
    for (ArrayDeque<T> things : byOwner.values()) {
      most = things.size() > most.size() ? things : most;
    }
    T oldest = most.remove();
    size--;
    if (most.isEmpty()) {
      byOwner.values().removeIf(ArrayDeque::isEmpty);
    }
    return oldest;
  }

  /** Removes things. */
  void removeIf(Predicate<T> isGone) {
    for (ArrayDeque<T> things : byOwner.values()) {
      int before = things.size();
      things.removeIf(isGone);
      size -= before - things.size();
    }
    byOwner.values().removeIf(ArrayDeque::isEmpty);
  }

  /** Visits all things: for each owner, the oldest first. */
  void forEach(Consumer<T> taker) {
    byOwner.values().forEach(things -> things.forEach(taker));
  }
}
