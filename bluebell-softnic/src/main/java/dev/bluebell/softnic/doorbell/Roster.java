package dev.bluebell.softnic.doorbell;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A list with removal in constant time: the last thing moves to the place of the removed one. Owned
 * by the thread that runs the engine.
 */
final class Roster<T> {
  private final List<T> all = new ArrayList<>();
  private final Map<T, Integer> places = new HashMap<>();

  int size() {
    return all.size();
  }

  T get(int place) {
    return all.get(place);
  }

  void add(T thing) {
    places.put(thing, all.size());
    all.add(thing);
  }

  boolean has(T thing) {
    return places.containsKey(thing);
  }

  /** Removes what was added. */
  void remove(T thing) {
    int place = Objects.requireNonNull(places.remove(thing));
    T last = all.removeLast();
    if (place < all.size()) {
      all.set(place, last);
      places.put(last, place);
    }
  }
}
