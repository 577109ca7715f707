package dev.bluebell.program;

/**
 * The address of a byte of the program's data, which becomes known when the program is installed.
 *
 * @param data what it points into
 * @param offset of the byte
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
