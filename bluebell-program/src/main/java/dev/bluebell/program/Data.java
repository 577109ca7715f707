package dev.bluebell.program;

import java.util.Map;
import java.util.TreeMap;

/** Memory of a program with its initial content, such as a table. Aligned to 8 bytes. */
public final class Data {
  private final String name;
  private final byte[] content;
  private final Map<Integer, DataPointer> pointers = new TreeMap<>();

  Data(String name, byte[] content) {
    this.name = name;
    this.content = content.clone();
  }

  /** Name, unique in its program. */
  public String name() {
    return name;
  }

  /** Length in bytes. */
  public int bytes() {
    return content.length;
  }

  /** A copy of the initial content, in which pointers are 0. */
  public byte[] content() {
    return content.clone();
  }

  /** The pointers in the initial content, by their offset. */
  public Map<Integer, DataPointer> pointers() {
    return Map.copyOf(pointers);
  }

  /** Puts an address into the initial content; any address that it overlaps is removed. */
  public Data put(int offset, DataPointer pointer) {
    put(offset, new byte[Long.BYTES]);
    pointers.put(offset, pointer);
    return this;
  }

  /** Puts bytes into the initial content; any address that they overlap is removed. */
  public Data put(int offset, byte... bytes) {
    if (offset < 0 || bytes.length > content.length - offset) {
      throw new IllegalArgumentException(
          "%d bytes at offset %d do not lie in %s, which has %d"
              .formatted(bytes.length, offset, name, content.length));
    }
    System.arraycopy(bytes, 0, content, offset, bytes.length);
    pointers.keySet().removeIf(at -> at < offset + bytes.length && offset < at + Long.BYTES);
    return this;
  }

  /** The address of a byte. */
  public DataPointer pointer(int offset) {
    return new DataPointer(this, offset);
  }

  /** The 8-byte number at an offset that is a multiple of 8. */
  public Cell<Kind.Number> number(int offset) {
    return new Cell<>(this, offset, Long.BYTES);
  }

  /** The bytes at an offset. */
  public Cell<Kind.Bytes> bytes(int offset, int count) {
    return new Cell<>(this, offset, count);
  }

  /** The address that is stored at an offset. */
  public Cell<Kind.Pointer> address(int offset) {
    return new Cell<>(this, offset, Long.BYTES);
  }

  @Override
  public String toString() {
    return name;
  }
}
