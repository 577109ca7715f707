package dev.bluebell.softnic.diagnosis;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the latest things of several owners, so many in all. When there are too many, whoever has
 * most loses its oldest: nobody's few are displaced by another's many. For one thread at a time.
 */
final class SharedShelf<T> {
  private final int room;
  private final Map<Object, ArrayDeque<T>> byOwner = new IdentityHashMap<>();
  private int size;

  /**
   * @param room how much is kept
   */
  SharedShelf(int room) {
    this.room = room;
  }

  /** Keeps a thing; what is kept no more for it, null when there was room. */
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

  /** All that is kept: of each owner, the oldest first. */
  void forEach(Consumer<T> taker) {
    byOwner.values().forEach(things -> things.forEach(taker));
  }
}
