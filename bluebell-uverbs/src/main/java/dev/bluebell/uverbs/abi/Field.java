package dev.bluebell.uverbs.abi;

/**
 * A field of a structure: a number of 1, 2, 4 or 8 bytes in the byte order of the machine, or a
 * string of bytes.
 *
 * @param name the name in the public headers
 * @param offset from the start of the structure, in bytes
 * @param bytes size
 */
public record Field(String name, int offset, int bytes) {
  /** Offset of the first byte behind the field. */
  public int end() {
    return offset + bytes;
  }
}
