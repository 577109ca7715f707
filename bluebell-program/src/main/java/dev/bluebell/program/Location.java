package dev.bluebell.program;

/** Where in the program's data a statement loads from or stores to. */
public sealed interface Location {
  /** What it lies in; a program that leaves it has no meaning. */
  Data in();

  /** Where a cell lies. */
  static Location of(Cell<?> cell) {
    return new At(cell.data(), cell.data().pointer(cell.offset()));
  }

  /**
   * Where a pointer points.
   *
   * @param in what it points into
   * @param pointer the address
   */
  record At(Data in, Operand<Kind.Pointer> pointer) implements Location {
    /** Checks a constant. */
    public At {
      if (pointer instanceof DataPointer constant && constant.data() != in) {
        throw new IllegalArgumentException("%s does not point into %s".formatted(constant, in));
      }
    }
  }

  /**
   * Counted from the start of the data.
   *
   * @param in the data
   * @param offset in bytes; a number of 8 bytes
   */
  record Indexed(Data in, Operand<Kind.Number> offset) implements Location {}
}
