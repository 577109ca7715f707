package dev.bluebell.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that may be unknown to a proof, except that some are equal. A byte is represented by a
 * code: below 256 the byte itself, otherwise a symbol. The outcome of a condition adds knowledge: a
 * symbol may become a byte, or equal to another symbol. Some symbols are {@linkplain Digit digits}
 * of numbers.
 */
final class Symbols {
  /**
   * A byte of a number that is the sum of a counter and an offset. The value of the counter is
   * unknown, so a property of the digit holds in each lap.
   *
   * @param counter the counter, see {@link Counters}
   * @param position of the byte in the number, 0 for the lowest
   * @param offset modulo the range of this byte and those below it
   */
  record Digit(int counter, int position, long offset) {
    Digit {
      offset = low(offset, position + 1);
    }
  }

  private record Answer(int[] a, int[] b, long mask, boolean equal) {}

  private static final int FIRST = 256;

  private static final int MAX_ANSWERS = 64;

  private int[] meanings = new int[64];
  private int count;
  private final List<Answer> answers = new ArrayList<>();
  private final Map<Digit, Integer> codes = new HashMap<>();
  private final Map<Integer, Digit> digits = new HashMap<>();

  Symbols copy() {
    Symbols copy = new Symbols();
    copy.meanings = meanings.clone();
    copy.count = count;
    copy.answers.addAll(answers);
    copy.codes.putAll(codes);
    copy.digits.putAll(digits);
    return copy;
  }

  /** A new unknown byte. */
  int fresh() {
    if (count == meanings.length) {
      meanings = Arrays.copyOf(meanings, 2 * count);
    }
    meanings[count] = FIRST + count;
    return FIRST + count++;
  }

  /** The lowest bytes of a number. */
  static long low(long number, int bytes) {
    return bytes == Long.BYTES ? number : number & (1L << bytes * Byte.SIZE) - 1;
  }

  /** The code of a digit. */
  int code(Digit digit) {
    Integer known = codes.get(digit);
    if (known != null) {
      return known;
    }
    int code = fresh();
    codes.put(digit, code);
    digits.put(code, digit);
    return code;
  }

  /** The digit of a code; null when it is not a digit. */
  @Nullable Digit digit(int code) {
    return digits.get(resolve(code));
  }

  /**
   * The number that some bytes form, little-endian, as its highest digit, whose offset is that of
   * the whole number. Null when they form no such number.
   */
  @Nullable Digit number(int[] bytes) {
    Digit top = digit(bytes[bytes.length - 1]);
    for (int i = 0; top != null && i < bytes.length; i++) {
      if (!new Digit(top.counter(), i, top.offset()).equals(digit(bytes[i]))) {
        return null;
      }
    }
    return top != null && top.position() == bytes.length - 1 ? top : null;
  }

  /** The bytes of a number, little-endian. */
  int[] number(int counter, long offset, int length) {
    int[] bytes = new int[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = code(new Digit(counter, i, offset));
    }
    return bytes;
  }

  static boolean isKnown(int code) {
    return code < FIRST;
  }

  static boolean areKnown(int[] codes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (!isKnown(codes[i])) {
        return false;
      }
    }
    return true;
  }

  /** Refuses an entry if bytes that determine what it does are unknown. */
  static void requireKnown(int[] codes, int from, int length, String what) {
    if (!areKnown(codes, from, length)) {
      throw new IllegalRequest("takes its %s from data that may be anything", what);
    }
  }

  /** The bytes of codes; 0 for unknown ones. */
  static byte[] bytes(int[] codes) {
    byte[] bytes = new byte[codes.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = isKnown(codes[i]) ? (byte) codes[i] : 0;
    }
    return bytes;
  }

  /** The codes of known bytes. */
  static int[] codes(byte[] bytes) {
    int[] codes = new int[bytes.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = bytes[i] & 0xff;
    }
    return codes;
  }

  /** The byte or symbol that a code currently stands for. */
  int resolve(int code) {
    int at = code;
    while (at >= FIRST && meanings[at - FIRST] != at) {
      at = meanings[at - FIRST];
    }
    return at;
  }

  /** Whether two numbers, little-endian, are equal where a mask has ones. */
  Equality compare(int[] a, int[] b, long mask) {
    Equality result = compareBytes(a, b, mask);
    return result == Equality.UNKNOWN ? remembered(a, b, mask) : result;
  }

  private Equality compareBytes(int[] a, int[] b, long mask) {
    Equality result = Equality.EQUAL;
    for (int i = 0; i < a.length; i++) {
      int bits = (int) (mask >>> 8 * i) & 0xff;
      int x = resolve(a[i]);
      int y = resolve(b[i]);
      if (bits != 0 && x != y) {
        if (!isKnown(x) || !isKnown(y)) {
          result = Equality.UNKNOWN;
        } else if (((x ^ y) & bits) != 0) {
          return Equality.DIFFERENT;
        }
      }
    }
    return result;
  }

  private Equality remembered(int[] a, int[] b, long mask) {
    for (Answer answer : answers) {
      if (answer.mask == mask && same(answer.a, a, mask)) {
        if (same(answer.b, b, mask)) {
          return answer.equal ? Equality.EQUAL : Equality.DIFFERENT;
        }
        boolean other = compareBytes(answer.b, b, mask) == Equality.DIFFERENT;
        if (other && answer.equal) {
          return Equality.DIFFERENT;
        }
        if (other && Long.bitCount(mask) == 1) {
          return Equality.EQUAL;
        }
      }
    }
    return Equality.UNKNOWN;
  }

  private boolean same(int[] a, int[] b, long mask) {
    for (int i = 0; i < a.length; i++) {
      if ((mask >>> 8 * i & 0xff) != 0 && resolve(a[i]) != resolve(b[i])) {
        return false;
      }
    }
    return true;
  }

  /** Learns whether two numbers are equal. False when this contradicts earlier knowledge. */
  boolean learn(int[] a, int[] b, long mask, boolean equal) {
    for (int i = 0; equal && i < a.length; i++) {
      int x = resolve(a[i]);
      int y = resolve(b[i]);
      if ((mask >>> 8 * i & 0xff) == 0xff && x != y) {
        if (isKnown(x) && isKnown(y)) {
          return false;
        }
        meanings[Math.max(x, y) - FIRST] = Math.min(x, y);
      }
    }
    if (answers.stream().anyMatch(this::contradicts)) {
      return false;
    }
    if (answers.size() == MAX_ANSWERS) {
      answers.removeFirst();
    }
    answers.add(new Answer(a.clone(), b.clone(), mask, equal));
    return true;
  }

  private boolean contradicts(Answer answer) {
    Equality now = compareBytes(answer.a, answer.b, answer.mask);
    return now == (answer.equal ? Equality.DIFFERENT : Equality.EQUAL);
  }

  /** Forgets answers that determined no byte, which a proof for all laps must not use. */
  void forgetAnswers() {
    answers.clear();
  }

  /** Knowledge about an equality. */
  enum Equality {
    EQUAL,
    DIFFERENT,
    UNKNOWN
  }
}
