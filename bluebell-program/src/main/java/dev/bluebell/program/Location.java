package dev.bluebell.program;

/** A location in the program's data that a statement loads from or stores to. */
public sealed interface Location {
  /** The data that contains it; accesses outside of it are undefined behaviour. */
  Data in();

  /** Location of a cell. */
  static Location of(Cell<?> cell) {
    return new At(cell.data(), cell.data().pointer(cell.offset()));
  }

  /**
   * Location that a pointer points to.
   *
   * @param in data that it points into
   * @param pointer the address
   */
  record At(Data in, Operand<Kind.Pointer> pointer) implements Location {
    /** Checks the length of the pointer, and a constant. */
    public At {
      if (pointer.bytes() != Long.BYTES) {
        throw new IllegalArgumentException(
            "%s has %d bytes; an address has 8".formatted(pointer, pointer.bytes()));
      }
      if (pointer instanceof DataPointer constant && constant.data() != in) {
        throw new IllegalArgumentException("%s does not point into %s".formatted(constant, in));
      }
    }
  }

  /**
   * Location at an offset from the start of the data.
   *
   * @param in the data
   * @param offset offset in bytes, an 8-byte number
   */
  record Indexed(Data in, Operand<Kind.Number> offset) implements Location {
    /** Checks the length of the offset. */
    public Indexed {
      if (offset.bytes() != Long.BYTES) {
        throw new IllegalArgumentException(
            "%s has %d bytes; an offset has 8: copy a shorter number into a cell of 8 bytes"
                .formatted(offset, offset.bytes()));
      }
    }
  }
}
