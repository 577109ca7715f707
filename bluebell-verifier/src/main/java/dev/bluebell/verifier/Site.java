package dev.bluebell.verifier;

import dev.bluebell.verifier.Symbols.Digit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where paths of a proof come by again and again, and in which states of memory: all have the same
 * events before them and behind. A byte that has several values is taken to be unknown, which is
 * true of each of them; one in a ring only where it was unknown before, since entries are refused
 * of which it is not known what they are, or where a number that no longer goes on with the laps
 * would be another one each time.
 */
final class Site {
  private static final char UNKNOWN = 256;

  /** States after which a number that was always another one is one of an entry that is done. */
  private static final int STALE = 8;

  private final Map<Digit, Character> digits = new HashMap<>();
  private final List<String> seen = new ArrayList<>();
  private final Set<Integer> varying = new TreeSet<>();

  /** Notes that a path comes by; false when one was here whose states have those of this one. */
  boolean add(Path path) {
    varying.forEach(place -> path.memory[place] = path.symbols.fresh());
    String memory = show(path);
    if (seen.isEmpty()) {
      return seen.add(memory);
    }
    if (isSeen(memory)) {
      return false;
    }
    String first = seen.getFirst();
    for (int place = 0; place < memory.length(); place++) {
      char now = memory.charAt(place);
      char then = first.charAt(place);
      boolean mayVary = now == UNKNOWN || then == UNKNOWN || !path.isInRing(place);
      if (now != then && (mayVary || isNumber(now) && isNumber(then) && seen.size() >= STALE)) {
        varying.add(place);
        path.memory[place] = path.symbols.fresh();
      }
    }
    memory = show(path);
    return !isSeen(memory) && seen.add(memory);
  }

  private static boolean isNumber(char shown) {
    return shown > UNKNOWN;
  }

  private boolean isSeen(String memory) {
    return seen.stream().anyMatch(each -> isIn(memory, each));
  }

  /** True when each byte is the same, or may be anything in the other one. */
  private static boolean isIn(String memory, String other) {
    for (int place = 0; place < memory.length(); place++) {
      char byteOfOther = other.charAt(place);
      if (byteOfOther != UNKNOWN && byteOfOther != memory.charAt(place)) {
        return false;
      }
    }
    return true;
  }

  private String show(Path path) {
    char[] shown = new char[path.memory.length];
    for (int i = 0; i < shown.length; i++) {
      Digit digit = path.symbols.digit(path.memory[i]);
      int code = path.symbols.resolve(path.memory[i]);
      shown[i] =
          digit != null
              ? digits.computeIfAbsent(digit, unused -> next())
              : Symbols.isKnown(code) ? (char) code : UNKNOWN;
    }
    return new String(shown);
  }

  private char next() {
    if (digits.size() == Character.MAX_VALUE - UNKNOWN) {
      throw new Refused("its numbers have too many values from lap to lap: nothing is proved");
    }
    return (char) (UNKNOWN + 1 + digits.size());
  }
}
