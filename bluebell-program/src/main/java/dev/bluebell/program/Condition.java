package dev.bluebell.program;

/** A condition of a program. */
public sealed interface Condition {
  /** The left operand; the comparison reads its bytes, not its address. */
  Operand<?> left();

  /** True when both have the same bytes. */
  static <K extends Kind> Condition equal(Operand<K> left, Operand<K> right) {
    return new Equal(left, right);
  }

  /** True when the first number is less than the second; both are unsigned, of at most 7 bytes. */
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
    /** Checks the lengths. */
    public Less {
      checkLengths(left, right);
      checkShort(left);
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

  private static void checkLengths(Operand<?> left, Operand<?> right) {
    if (left.bytes() != right.bytes()) {
      throw new IllegalArgumentException(
          "%s has %d bytes and %s has %d; compare operands of the same length"
              .formatted(left, left.bytes(), right, right.bytes()));
    }
  }

  private static void checkShort(Operand<?> operand) {
    if (operand.bytes() >= Long.BYTES) {
      throw new IllegalArgumentException(
          "%s has %d bytes; this comparison takes at most 7: compare its first ones"
              .formatted(operand, operand.bytes()));
    }
  }
}
