package dev.bluebell.softnic.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue, the lowest rank first. Each thing knows its place in the heap, so removing it
 * is cheap however many there are. Owned by the thread that runs the engine.
 */
public final class RankedQueue<T extends Ranked> {
  private @Nullable Ranked[] heap = new Ranked[16];
  private int size;

  public int size() {
    return size;
  }

  /** The thing of the lowest rank; null when there is none. */
  @SuppressWarnings("unchecked")
  public @Nullable T first() {
    return (T) heap[0];
  }

  /** The lowest rank; {@link Long#MAX_VALUE} when there is none. */
  public long firstRank() {
    Ranked first = heap[0];
    return first == null ? Long.MAX_VALUE : first.rank;
  }

  /** Adds a thing, or moves it if it is here. */
  public void add(T thing, long rank) {
    remove(thing);
    thing.ranked = true;
    thing.rank = rank;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    siftUp(size++, thing);
  }

  /** Removes a thing, which is here or in no queue. */
  public void remove(T thing) {
    if (!thing.ranked) {
      return;
    }
    thing.ranked = false;
    int place = thing.rankPlace;
    Ranked last = at(--size);
    heap[size] = null;
    if (place < size) {
      siftDown(place, last);
      if (last.rankPlace == place) {
        siftUp(place, last);
      }
    }
  }

  private void siftUp(int from, Ranked thing) {
    int place = from;
    while (place > 0) {
      Ranked parent = at(place - 1 >>> 1);
      if (thing.rank >= parent.rank) {
        break;
      }
      put(place, parent);
      place = place - 1 >>> 1;
    }
    put(place, thing);
  }

  private void siftDown(int from, Ranked thing) {
    int place = from;
    while (place < size >>> 1) {
      int child = 2 * place + 1;
      if (child + 1 < size && at(child).rank > at(child + 1).rank) {
        child++;
      }
      if (thing.rank <= at(child).rank) {
        break;
      }
      put(place, at(child));
      place = child;
    }
    put(place, thing);
  }

  private void put(int place, Ranked thing) {
    heap[place] = thing;
    thing.rankPlace = place;
  }

  private Ranked at(int place) {
    return Objects.requireNonNull(heap[place]);
  }
}
