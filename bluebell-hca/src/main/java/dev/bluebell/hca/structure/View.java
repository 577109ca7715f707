package dev.bluebell.hca.structure;

import java.util.Arrays;

/**
 * A structure in a byte array: reads and writes fields by their definition. Numbers are unsigned,
 * in the byte order of their field. Not thread-safe.
 *
 * <p>Reading behind the end of the array returns 0, just as firmware treats a short mailbox and the
 * kernel extends the input of older clients; writing there throws {@link
 * IndexOutOfBoundsException}.
 */
public final class View {
  private final byte[] bytes;
  private final int base;

  private View(byte[] bytes, int base) {
    this.bytes = bytes;
    this.base = base;
  }

  /** A new, zeroed structure. */
  public static View of(Structure structure) {
    return of(structure, 0);
  }

  /** A new, zeroed structure followed by {@code extraBytes}, for commands that end in a list. */
  public static View of(Structure structure, int extraBytes) {
    return new View(new byte[structure.bytes() + extraBytes], 0);
  }

  /** The structure that {@code bytes} holds; the array is not copied. */
  public static View over(byte[] bytes) {
    return new View(bytes, 0);
  }

  /** A new command input: zeroed, with its opcode set. */
  public static View command(Structure structure, int opcode) {
    return of(structure).set(structure.field("opcode"), opcode);
  }

  /** The nested structure at {@code area}, over the same bytes. */
  public View at(Area area) {
    return at(area.offset());
  }

  /** The structure that starts {@code offset} bytes behind this one, over the same bytes. */
  public View at(int offset) {
    return new View(bytes, base + offset);
  }

  /** A copy of the nested structure at {@code area}. */
  public View copy(Area area) {
    int from = base + area.offset();
    return over(Arrays.copyOfRange(bytes, from, from + area.structure().bytes()));
  }

  /** The number in a field of at most 64 bits, unsigned; 0 behind the end of the array. */
  public long get(Field field) {
    return field.get(bytes, base);
  }

  /** The low 32 bits of the number in a field; negative when the highest of them is set. */
  public int getInt(Field field) {
    return (int) field.get(bytes, base);
  }

  /** True when any bit of a field of at most 64 bits is set. */
  public boolean isSet(Field field) {
    return field.get(bytes, base) != 0;
  }

  /** Writes a field; throws {@link IllegalArgumentException} when the value does not fit it. */
  public View set(Field field, long value) {
    field.set(bytes, base, value);
    return this;
  }

  /** As {@link #set(Field, long)}; a field of 32 bits takes the bits of any number. */
  public View set(Field field, int value) {
    return set(field, field.width() == Integer.SIZE ? value & 0xffffffffL : (long) value);
  }

  /** Writes 1 or 0. */
  public View set(Field field, boolean value) {
    return set(field, value ? 1L : 0L);
  }

  /** The bytes of a byte-aligned field. */
  public byte[] getBytes(Field field) {
    byte[] value = new byte[field.width() / 8];
    int from = base + field.offset();
    int available = Math.clamp(bytes.length - from, 0, value.length);
    System.arraycopy(bytes, Math.min(from, bytes.length), value, 0, available);
    return value;
  }

  /** Writes a byte-aligned field; {@code value} must have its length. */
  public View setBytes(Field field, byte[] value) {
    if (value.length * 8 != field.width()) {
      throw new IllegalArgumentException(
          "%s takes %d bytes, not %d".formatted(field.name(), field.width() / 8, value.length));
    }
    return put(field.offset(), value);
  }

  /** Writes a nested structure: the first bytes of {@code value}. */
  public View set(Area area, View value) {
    value.copyTo(at(area), area.structure().bytes());
    return this;
  }

  /** Writes bytes that no field describes, such as a list behind the structure. */
  public View put(int offset, byte[] value) {
    System.arraycopy(value, 0, bytes, base + offset, value.length);
    return this;
  }

  /** Copies {@code length} bytes of the structure, from its start, into {@code target}'s start. */
  public View copyTo(View target, int length) {
    System.arraycopy(bytes, base, target.bytes, target.base, length);
    return this;
  }

  /** The array behind this view, not copied. */
  public byte[] bytes() {
    return bytes;
  }
}
