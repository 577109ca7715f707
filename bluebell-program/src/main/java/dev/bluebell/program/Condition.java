package dev.bluebell.program;

import dev.bluebell.hca.text.Counted;
import java.util.Arrays;

/** A condition of a program. */
public sealed interface Condition {
  /** The left operand; the comparison reads its bytes, not its address. */
  Operand<?> left();

  /** True when both have the same bytes. */
  static <K extends Kind> Condition equal(Operand<K> left, Operand<K> right) {
    return new Equal(left, right);
  }

  /**
   * True when the first number is less than the second. Both are unsigned, of the same length, at
   * most 7 bytes. A constant takes the length of the other operand if its value fits.
   */
  static Condition less(Operand<Kind.Number> left, Operand<Kind.Number> right) {
    return new Less(left, right);
  }

  /** True when both have the same bits where the mask has ones; at most 7 bytes. */
  static <K extends Kind> Condition masked(Operand<K> left, byte[] mask, Literal<K> right) {
    return new Masked(left, mask, right);
  }

  /** See {@link #equal}. */
  record Equal(Operand<?> left, Operand<?> right) implements Condition {
    /** Checks the lengths. */
    public Equal {
      checkLengths(left, right);
    }

    @Override
    public String toString() {
      return left + " = " + right;
    }
  }

  /** See {@link #less}. */
  record Less(Operand<?> left, Operand<?> right) implements Condition {
    /** Gives constants the length of the other operand, and checks the lengths. */
    public Less {
      left = fitted(left, right.bytes());
      right = fitted(right, left.bytes());
      checkLengths(left, right);
      checkShort(left instanceof Literal ? right : left);
    }

    @Override
    public String toString() {
      return left + " < " + right;
    }
  }

  /** See {@link #masked}. */
  record Masked(Operand<?> left, byte[] mask, Literal<?> right) implements Condition {
    /** Checks the lengths and copies the mask. */
    public Masked {
      checkLengths(left, right);
      checkShort(left);
      if (mask.length != left.bytes()) {
        throw new IllegalArgumentException(
            "a mask of %d bytes does not fit %s, which has %d"
                .formatted(mask.length, left, left.bytes()));
      }
      mask = mask.clone();
    }

    /** A copy of the mask. */
    @Override
    public byte[] mask() {
      return mask.clone();
    }

    @Override
    public String toString() {
      return "%s & %s = %s & same".formatted(left, Literal.bytes(mask), right);
    }
  }

  /** A constant number of another length, if its value fits; otherwise the operand. */
  private static Operand<?> fitted(Operand<?> operand, int bytes) {
    if (!(operand instanceof Literal<?> literal)) {
      return operand;
    }
    byte[] content = literal.content();
    for (int i = bytes; i < content.length; i++) {
      if (content[i] != 0) {
        return operand;
      }
    }
    return new Literal<>(Arrays.copyOf(content, bytes));
  }

  private static void checkLengths(Operand<?> left, Operand<?> right) {
    if (left.bytes() != right.bytes()) {
      boolean isLeftLonger = left.bytes() > right.bytes();
      Operand<?> longer = isLeftLonger ? left : right;
      Operand<?> shorter = isLeftLonger ? right : left;
      String advice =
          shorter instanceof Literal
              ? resized(shorter, longer.bytes())
              : resized(longer, shorter.bytes());
      throw new IllegalArgumentException(
          "%s has %s and %s has %s; compare operands of the same length: %s"
              .formatted(left, bytes(left.bytes()), right, bytes(right.bytes()), advice));
    }
  }

  private static void checkShort(Operand<?> operand) {
    int most = Long.BYTES - 1;
    if (operand.bytes() > most) {
      throw new IllegalArgumentException(
          "%s has %s; 'less' and 'masked' compare at most %d: %s"
              .formatted(operand, bytes(operand.bytes()), most, resized(operand, most)));
    }
  }

  /** How to write an operand of another length. */
  private static String resized(Operand<?> operand, int bytes) {
    return switch (operand) {
      case Literal<?> _ when fitted(operand, bytes).bytes() > bytes ->
          "the constant does not fit in %s".formatted(bytes(bytes));
      case Literal<?> _ when bytes <= Long.BYTES ->
          "a constant number of %s is Literal.number(value, %d)".formatted(bytes(bytes), bytes);
      case Cell<?> _ -> "first(%d) of the cell has its first %s".formatted(bytes, bytes(bytes));
      case Input<?> _, Field<?> _ -> "declare %s with %s".formatted(operand, bytes(bytes));
      case Literal<?> _ -> "give %s".formatted(bytes(bytes));
      case DataPointer _ -> "an address has 8 bytes";
    };
  }

  private static String bytes(int count) {
    return Counted.of(count, "byte");
  }
}
