package dev.bluebell.verifier;

import dev.bluebell.verifier.Symbols.Digit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The states of memory that a program has at one point of its laps: at the start of a ring's lap,
 * or at rest after a call. All paths that reach this point have the same events before them and the
 * same choices after them, so a state that was examined before is not examined again.
 *
 * <p>If memory has another value in each lap, no state ever recurs. Therefore a byte that has had
 * several values is <em>widened</em>: it becomes unknown, which represents each of these values.
 * This adds states and never removes any. A byte of a ring is widened only in two cases, because an
 * entry with unknown bytes is refused: if it was unknown before, or if it belongs to a number that
 * has differed in each of many laps, because such an entry is not executed again.
 */
final class LapStates {
  /** Stands for an unknown byte in a rendered state; known bytes are below, numbers above. */
  private static final char UNKNOWN = 256;

  /** States after which a number in a ring that always differed is widened. */
  private static final int STALE = 8;

  /** A character for each byte of each symbolic number. */
  private final Map<Digit, Character> digits = new HashMap<>();

  private final List<String> examined = new ArrayList<>();
  private final Set<Integer> widened = new TreeSet<>();

  /**
   * Adds the state of a path, and widens bytes of its memory that differ from earlier states.
   *
   * @return false if an earlier state covers this one, so everything that can follow was examined
   */
  boolean add(Path path) {
    widened.forEach(place -> path.memory[place] = path.symbols.fresh());
    String state = render(path);
    if (isExamined(state)) {
      return false;
    }
    if (!examined.isEmpty()) {
      widen(path, state);
      state = render(path);
    }
    return !isExamined(state) && examined.add(state);
  }

  private void widen(Path path, String state) {
    String first = examined.getFirst();
    for (int place = 0; place < state.length(); place++) {
      char now = state.charAt(place);
      char then = first.charAt(place);
      if (now != then && (mayBeUnknown(path, place, now, then) || isStale(now, then))) {
        widened.add(place);
        path.memory[place] = path.symbols.fresh();
      }
    }
  }

  private static boolean mayBeUnknown(Path path, int place, char now, char then) {
    return now == UNKNOWN || then == UNKNOWN || !path.isInRing(place);
  }

  /** Whether two different bytes belong to a number that no longer advances with the laps. */
  private boolean isStale(char now, char then) {
    return now > UNKNOWN && then > UNKNOWN && examined.size() >= STALE;
  }

  private boolean isExamined(String state) {
    return examined.stream().anyMatch(earlier -> covers(earlier, state));
  }

  /** True if each byte of a state is that of another one, or unknown in the other one. */
  private static boolean covers(String general, String state) {
    for (int place = 0; place < state.length(); place++) {
      char expected = general.charAt(place);
      if (expected != UNKNOWN && expected != state.charAt(place)) {
        return false;
      }
    }
    return true;
  }

  /** Memory as a string, in which equal characters are bytes of equal meaning. */
  private String render(Path path) {
    char[] rendered = new char[path.memory.length];
    for (int place = 0; place < rendered.length; place++) {
      Digit digit = path.symbols.digit(path.memory[place]);
      int code = path.symbols.resolve(path.memory[place]);
      rendered[place] =
          digit != null
              ? digits.computeIfAbsent(digit, unused -> next())
              : Symbols.isKnown(code) ? (char) code : UNKNOWN;
    }
    return new String(rendered);
  }

  private char next() {
    if (digits.size() == Character.MAX_VALUE - UNKNOWN) {
      throw new Refused("its numbers have too many values from lap to lap: nothing is proved");
    }
    return (char) (UNKNOWN + 1 + digits.size());
  }
}
