package dev.bluebell.program;

import java.util.List;

/** A statement of a program. */
public sealed interface Statement {
  /** Its nested statements, by branch or lap. */
  default List<List<Statement>> inside() {
    return switch (this) {
      case When when -> List.of(when.then(), when.otherwise());
      case Loop loop -> loop.laps();
      case Unbounded loop -> List.of(loop.body());
      default -> List.of();
    };
  }

  /**
   * Copies an operand.
   *
   * @param to destination
   * @param from source, of the same length
   */
  record Set(Cell<?> to, Operand<?> from) implements Statement {
    /** Maximum length of a copy that may overwrite the end of its source. */
    static final int MAX_OVERLAP = 256;

    /** Checks lengths and places. */
    public Set {
      if (to.bytes() != from.bytes()) {
        throw new IllegalArgumentException(
            "%s has %d bytes and %s has %d; copy operands of the same length"
                .formatted(to, to.bytes(), from, from.bytes()));
      }
      // The device may write a packet before it reads the next one; it has at least so many bytes.
      if (to.bytes() > MAX_OVERLAP
          && from instanceof Cell<?> source
          && source.data() == to.data()
          && source.offset() < to.offset()
          && to.offset() < source.offset() + source.bytes()) {
        throw new IllegalArgumentException(
            "%s overlaps %s, which the device may overwrite before it reads it; copy %d bytes or less at once, or through other data"
                .formatted(to, source, MAX_OVERLAP));
      }
    }

    @Override
    public String toString() {
      return to + " := " + from;
    }
  }

  /** Reads memory. */
  record Load(Location from, Loaded into) implements Statement {
    @Override
    public String toString() {
      return "load " + into;
    }
  }

  /** Writes memory. */
  record Store(Location to, Operand<?> from) implements Statement {
    /** Checks the length. */
    public Store {
      checkNotEmpty(from.bytes(), "a store");
      checkLength(from.bytes(), "a store", to.in());
    }

    @Override
    public String toString() {
      return "store " + from;
    }
  }

  /**
   * Adds to a number, modulo 2^64.
   *
   * @param to the number, aligned to 8 bytes
   * @param addend an unsigned number of at most 8 bytes
   */
  record Add(Cell<Kind.Number> to, Operand<Kind.Number> addend) implements Statement {
    /** Checks lengths and alignment. */
    public Add {
      checkWord(to);
      checkFits(addend);
    }

    @Override
    public String toString() {
      return to + " += " + addend;
    }
  }

  /**
   * Replaces the bits of a number where a mask has ones.
   *
   * @param to the number, aligned to 8 bytes
   * @param value its new bits
   * @param mask which bits change
   */
  record Update(Cell<Kind.Number> to, long value, long mask) implements Statement {
    /** Checks length and alignment. */
    public Update {
      checkWord(to);
    }

    @Override
    public String toString() {
      return "%s := 0x%x where 0x%x".formatted(to, value, mask);
    }
  }

  /**
   * Changes an 8-byte word atomically.
   *
   * @param word location of the word, at a multiple of 8
   * @param change the change
   * @param before the original value
   */
  record Atomic(Location word, Change change, Loaded before) implements Statement {
    /** Checks the location, as far as it is known. */
    public Atomic {
      if (word instanceof Location.At at
          && at.pointer() instanceof DataPointer pointer
          && pointer.offset() % Long.BYTES != 0) {
        throw new IllegalArgumentException(
            "%s is not at a multiple of 8, which an atomic needs".formatted(pointer));
      }
      if (word instanceof Location.Indexed indexed
          && indexed.offset() instanceof Literal<?> offset
          && offset.content()[0] % Long.BYTES != 0) {
        throw new IllegalArgumentException(
            "offset %s is not a multiple of 8, which an atomic needs".formatted(offset));
      }
    }

    @Override
    public String toString() {
      return "%s := %s".formatted(before, change);
    }
  }

  /** An atomic change of a word. Operands have up to 8 bytes; shorter ones are zero-padded. */
  sealed interface Change {
    /**
     * Replaces the value if it equals the expected one.
     *
     * @param expected compared with all 8 bytes
     * @param desired the new value
     */
    record CompareSwap(Operand<?> expected, Operand<?> desired) implements Change {
      /** Checks the lengths. */
      public CompareSwap {
        checkFits(expected);
        checkFits(desired);
      }

      @Override
      public String toString() {
        return "compare with %s and swap %s".formatted(expected, desired);
      }
    }

    /** Replaces the value. */
    record Exchange(Operand<?> value) implements Change {
      /** Checks the length. */
      public Exchange {
        checkFits(value);
      }

      @Override
      public String toString() {
        return "exchange for " + value;
      }
    }

    /**
     * Adds to the value.
     *
     * @param fieldEnds the highest bit of each field, which no carry leaves; 0 when the word is one
     *     field
     */
    record FetchAdd(Operand<Kind.Number> addend, long fieldEnds) implements Change {
      /** Checks the length. */
      public FetchAdd {
        checkFits(addend);
      }

      @Override
      public String toString() {
        return fieldEnds == 0
            ? "add " + addend
            : "add %s, in fields that end at 0x%x".formatted(addend, fieldEnds);
      }
    }
  }

  /**
   * Executes one of two branches.
   *
   * @param condition evaluated once, before
   * @param then statements to execute when it holds
   * @param otherwise statements to execute when it does not
   */
  record When(Condition condition, List<Statement> then, List<Statement> otherwise)
      implements Statement {
    /** Copies the lists. */
    public When {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }

    @Override
    public String toString() {
      return "when " + condition;
    }
  }

  /** Executes laps in order, until one of them breaks. */
  record Loop(List<List<Statement>> laps) implements Statement {
    /** Copies the lists. */
    public Loop {
      laps = laps.stream().map(List::copyOf).toList();
    }

    @Override
    public String toString() {
      return "repeat %d times".formatted(laps.size());
    }
  }

  /** Repeats its body until it breaks. */
  record Unbounded(List<Statement> body) implements Statement {
    /** Copies the list. */
    public Unbounded {
      body = List.copyOf(body);
    }

    @Override
    public String toString() {
      return "loop";
    }
  }

  /** Executes a subprogram. */
  record Call(Subprogram to) implements Statement {
    @Override
    public String toString() {
      return "call " + to;
    }
  }

  /** Leaves the innermost loop. */
  record Break() implements Statement {
    @Override
    public String toString() {
      return "break";
    }
  }

  /** Answers the client. */
  record Respond(Delivery how, Operand<?> what) implements Statement {
    /** Checks the length. */
    public Respond {
      checkNotEmpty(what.bytes(), "an answer");
      how.check(what.bytes());
    }

    @Override
    public String toString() {
      return how + " " + what;
    }
  }

  /**
   * Answers the client with bytes of memory, followed by operands.
   *
   * @param behind operands after the bytes
   */
  record RespondFrom(Delivery how, Location from, int bytes, List<Operand<?>> behind)
      implements Statement {
    /** Copies the list and checks the lengths. */
    public RespondFrom {
      behind = List.copyOf(behind);
      checkNotEmpty(bytes, "an answer from memory");
      checkLength(bytes, "an answer from memory", from.in());
      behind.forEach(operand -> checkNotEmpty(operand.bytes(), "an operand of an answer"));
      how.check(bytes + behind.stream().mapToInt(Operand::bytes).sum());
    }

    @Override
    public String toString() {
      return "%s with %d bytes of %s".formatted(how, bytes, from.in());
    }
  }

  /** Checks a length, because the device takes 0 in a data segment for 2 GiB. */
  private static void checkNotEmpty(int bytes, String what) {
    if (bytes < 1) {
      throw new IllegalArgumentException("%s of %d bytes; give 1 or more".formatted(what, bytes));
    }
  }

  private static void checkLength(int bytes, String what, Data data) {
    if (bytes > data.bytes()) {
      throw new IllegalArgumentException(
          "%s of %d bytes; %s has %d".formatted(what, bytes, data, data.bytes()));
    }
  }

  private static void checkFits(Operand<?> operand) {
    if (operand.bytes() > Long.BYTES) {
      throw new IllegalArgumentException(
          "%s has %d bytes; an operand of an atomic has at most 8"
              .formatted(operand, operand.bytes()));
    }
  }

  private static void checkWord(Cell<?> cell) {
    if (cell.bytes() != Long.BYTES || cell.offset() % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "%s is not 8 bytes at a multiple of 8, which an atomic needs".formatted(cell));
    }
  }
}
