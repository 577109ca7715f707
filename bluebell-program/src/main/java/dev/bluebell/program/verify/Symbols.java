package dev.bluebell.program.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes of which a proof may know nothing but that two are the same. A byte is a code: below 256
 * the byte itself, otherwise a symbol. What a condition tells is learned: a symbol may become a
 * byte, or another symbol.
 */
final class Symbols {
  private static final int FIRST = 256;

  private static final int MAX_DIFFERENT = 64;

  private int[] meanings = new int[64];
  private int count;
  private final List<int[][]> different = new ArrayList<>();

  Symbols copy() {
    Symbols copy = new Symbols();
    copy.meanings = meanings.clone();
    copy.count = count;
    copy.different.addAll(different);
    return copy;
  }

  /** A byte of which nothing is known. */
  int fresh() {
    if (count == meanings.length) {
      meanings = Arrays.copyOf(meanings, 2 * count);
    }
    meanings[count] = FIRST + count;
    return FIRST + count++;
  }

  static boolean isKnown(int code) {
    return code < FIRST;
  }

  /** The byte, or the symbol, that a code has come to mean. */
  int resolve(int code) {
    int at = code;
    while (at >= FIRST && meanings[at - FIRST] != at) {
      at = meanings[at - FIRST];
    }
    return at;
  }

  /** Whether two strings of bytes are equal, as far as that is known. */
  Equality compare(int[] a, int[] b) {
    Equality result = Equality.EQUAL;
    for (int i = 0; i < a.length; i++) {
      int x = resolve(a[i]);
      int y = resolve(b[i]);
      if (x != y) {
        if (isKnown(x) && isKnown(y)) {
          return Equality.DIFFERENT;
        }
        result = Equality.UNKNOWN;
      }
    }
    if (result == Equality.UNKNOWN) {
      for (int[][] pair : different) {
        if (same(pair[0], a) && same(pair[1], b) || same(pair[0], b) && same(pair[1], a)) {
          return Equality.DIFFERENT;
        }
      }
    }
    return result;
  }

  private boolean same(int[] a, int[] b) {
    if (a.length != b.length) {
      return false;
    }
    for (int i = 0; i < a.length; i++) {
      if (resolve(a[i]) != resolve(b[i])) {
        return false;
      }
    }
    return true;
  }

  /** Learns that two strings are equal. False when that contradicts what was learned before. */
  boolean learnEqual(int[] a, int[] b) {
    for (int i = 0; i < a.length; i++) {
      int x = resolve(a[i]);
      int y = resolve(b[i]);
      if (x != y) {
        if (isKnown(x) && isKnown(y)) {
          return false;
        }
        meanings[Math.max(x, y) - FIRST] = Math.min(x, y);
      }
    }
    return different.stream().noneMatch(pair -> same(pair[0], pair[1]));
  }

  /** Learns that two strings differ somewhere. */
  void learnDifferent(int[] a, int[] b) {
    if (different.size() == MAX_DIFFERENT) {
      different.removeFirst();
    }
    different.add(new int[][] {a.clone(), b.clone()});
  }

  /** Forgets in what strings differ, which a proof for many laps may not use. */
  void forgetDifferences() {
    different.clear();
  }

  /** What is known of an equality. */
  enum Equality {
    EQUAL,
    DIFFERENT,
    UNKNOWN
  }
}
