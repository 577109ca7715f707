package dev.bluebell.program;

/**
 * A part of loaded bytes, with its value from the time of the load.
 *
 * @param loaded the loaded bytes
 * @param offset offset of its first byte
 * @param bytes its length in bytes
 */
public record Field<K extends Kind>(Loaded loaded, int offset, int bytes) implements Operand<K> {
  @Override
  public String toString() {
    return "%s[%d..%d)".formatted(loaded, offset, offset + bytes);
  }
}
