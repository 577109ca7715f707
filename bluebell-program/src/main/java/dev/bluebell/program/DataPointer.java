package dev.bluebell.program;

/**
 * The address of a byte of the program's data. Installing the program determines it.
 *
 * @param data data that it points into
 * @param offset offset of the byte
 */
public record DataPointer(Data data, int offset) implements Operand<Kind.Pointer> {
  @Override
  public int bytes() {
    return Long.BYTES;
  }

  @Override
  public String toString() {
    return "&%s[%d]".formatted(data.name(), offset);
  }
}
