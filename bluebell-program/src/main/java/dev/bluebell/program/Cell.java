package dev.bluebell.program;

/**
 * Memory that statements read and write.
 *
 * @param data data that contains it
 * @param offset offset of its first byte
 * @param bytes its length
 */
public record Cell<K extends Kind>(Data data, int offset, int bytes) implements Operand<K> {
  /** Checks that the cell is inside its data. */
  public Cell {
    if (offset < 0 || bytes < 1 || bytes > data.bytes() - offset) {
      throw new IllegalArgumentException(
          "%d bytes at offset %d do not lie in %s, which has %d"
              .formatted(bytes, offset, data.name(), data.bytes()));
    }
  }

  /** The first bytes of the cell; for a number, the low ones. */
  public Cell<K> first(int count) {
    return new Cell<>(data, offset, count);
  }

  @Override
  public String toString() {
    return offset == 0 && bytes == data.bytes()
        ? data.name()
        : "%s[%d..%d)".formatted(data.name(), offset, offset + bytes);
  }
}
