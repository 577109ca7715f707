package dev.bluebell.program;

/**
 * A part of what was loaded. It keeps the value from when it was loaded.
 *
 * @param loaded what was loaded
 * @param offset of its first byte in there
 * @param bytes its length
 */
public record Field<K extends Kind>(Loaded loaded, int offset, int bytes) implements Operand<K> {
  @Override
  public String toString() {
    return "%s[%d..%d)".formatted(loaded, offset, offset + bytes);
  }
}
