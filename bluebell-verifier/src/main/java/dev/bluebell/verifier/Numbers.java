package dev.bluebell.verifier;

import dev.bluebell.verifier.Symbols.Digit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bytes of memory that are numbers advancing with the laps, and the counter of each. It
 * finds them by trial; this only determines which states a proof tries, and a wrong result cannot
 * prove a program.
 */
final class Numbers {
  /**
   * A number in memory.
   *
   * @param counter counter that it follows
   * @param bytes length of the number
   * @param lowestFirst true for little-endian
   */
  record Field(int counter, int bytes, boolean lowestFirst) {}

  final Counters counters;

  /** Fields by place. */
  private final Map<Integer, Field> fields = new TreeMap<>();

  /**
   * Lengths, by place, of numbers that fetch-and-adds change; and the places of those that change
   * in each lap.
   */
  private final Map<Integer, Integer> sums = new HashMap<>();

  private final Set<Integer> growing = new TreeSet<>();

  /** Places of fields that were found since the last {@link #beginAttempt}. */
  private final Set<Integer> found = new TreeSet<>();

  Numbers(Counters counters) {
    this.counters = counters;
  }

  /** Notes the fields that a fetch-and-add changes. */
  void add(int place, Request request) {
    int bytes = request.operandBytes();
    int first = 0;
    for (int i = 0; i < bytes; i++) {
      if (i == bytes - 1 || (request.boundary() >>> 8 * i + 7 & 1) != 0) {
        int length = i + 1 - first;
        if (Symbols.low(request.swapOrAdd() >>> 8 * first, length) != 0) {
          sums.put(place + first, length);
        }
        first = i + 1;
      }
    }
  }

  /** Notes which sums differ between two states that are a lap apart. */
  void compare(int[] before, int[] after) {
    sums.forEach(
        (place, length) -> {
          boolean differs = false;
          boolean known = true;
          for (int i = place; i < place + length; i++) {
            differs |= before[i] != after[i];
            known &= Symbols.isKnown(before[i]) && Symbols.isKnown(after[i]);
          }
          if (differs && known) {
            growing.add(place);
          }
        });
  }

  /** Makes all known numbers of a path symbolic. */
  void generalise(Path path) {
    for (int place : growing) {
      int counter = counters.at(place);
      fields.putIfAbsent(place, new Field(counter, sums.getOrDefault(place, 1), true));
    }
    fields.forEach((place, field) -> generalise(path, place, field));
  }

  private void generalise(Path path, int place, Field field) {
    int[] bytes = lowestFirst(path.codes(place, field.bytes), field.lowestFirst);
    if (!Symbols.areKnown(bytes, 0, bytes.length)) {
      return;
    }
    long base = counters.isUnnamed(field.counter) ? 0 : path.bases[field.counter];
    int[] number = path.symbols.number(field.counter, value(bytes) - base, bytes.length);
    System.arraycopy(lowestFirst(number, field.lowestFirst), 0, path.memory, place, number.length);
  }

  /**
   * The offset of a number from a counter.
   *
   * @param bytes bytes in memory, big-endian
   * @param place place of the first byte
   * @param counter counter that the device compares the number with
   * @param what name of the number in messages
   */
  long offset(Path path, int[] bytes, int place, int counter, String what) {
    int[] number = lowestFirst(bytes, false);
    Digit digit = path.symbols.number(number);
    if (digit != null && digit.counter() == counter) {
      return digit.offset();
    }
    boolean isNew;
    long value;
    if (digit != null && counters.isUnnamed(digit.counter())) {
      int field = counters.place(digit.counter());
      isNew = put(field, new Field(counter, number.length, true));
      value = digit.offset();
    } else {
      Symbols.requireKnown(number, 0, number.length, what);
      isNew = put(place, new Field(counter, number.length, false));
      value = value(number);
    }
    if (!isNew) {
      throw new IllegalRequest("does not have the %s of each lap", what);
    }
    return Symbols.low(value - path.bases[counter], number.length);
  }

  private boolean put(int place, Field field) {
    @Nullable Field old = fields.get(place);
    if (old != null && !counters.isUnnamed(old.counter)) {
      return found.contains(place) && old.equals(field);
    }
    fields.put(place, field);
    found.add(place);
    return true;
  }

  /** Begins an attempt to prove the program with the fields that are known so far. */
  void beginAttempt() {
    found.clear();
  }

  /** True when this attempt has found a field, so that it proves nothing. */
  boolean isChanged() {
    return !found.isEmpty();
  }

  private static long value(int[] lowestFirst) {
    long value = 0;
    for (int i = lowestFirst.length - 1; i >= 0; i--) {
      value = value << 8 | lowestFirst[i];
    }
    return value;
  }

  private static int[] lowestFirst(int[] bytes, boolean isSo) {
    if (isSo) {
      return bytes;
    }
    int[] turned = new int[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      turned[i] = bytes[bytes.length - 1 - i];
    }
    return turned;
  }
}
