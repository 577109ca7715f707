package dev.bluebell.uverbs.abi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A structure in a byte array: reads and writes fields by their definition. Numbers are unsigned
 * and in the byte order of the machine. Not thread-safe.
 *
 * <p>Reading behind the end of the array gives 0, as the kernel extends what older clients send;
 * writing there throws {@link IndexOutOfBoundsException}.
 */
public final class AbiView {
  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final byte[] bytes;
  private final int base;

  private AbiView(byte[] bytes, int base) {
    this.bytes = bytes;
    this.base = base;
  }

  /** A new, zeroed structure. */
  public static AbiView of(Structure structure) {
    return of(structure, 0);
  }

  /** A new, zeroed structure followed by {@code extraBytes}, for those that end in a list. */
  public static AbiView of(Structure structure, int extraBytes) {
    return new AbiView(new byte[structure.bytes() + extraBytes], 0);
  }

  /** The structure that {@code bytes} holds; the array is not copied. */
  public static AbiView over(byte[] bytes) {
    return new AbiView(bytes, 0);
  }

  /** The nested structure at {@code area}, over the same bytes. */
  public AbiView at(Area area) {
    return at(area.offset());
  }

  /** The structure that starts {@code offset} bytes behind this one, over the same bytes. */
  public AbiView at(int offset) {
    return new AbiView(bytes, base + offset);
  }

  /** A copy of the nested structure at {@code area}. */
  public AbiView copy(Area area) {
    return AbiView.over(
        Arrays.copyOfRange(
            bytes, base + area.offset(), base + area.offset() + area.structure().bytes()));
  }

  /** The number in a field, unsigned; 0 behind the end of the array. */
  public long get(Field field) {
    long value = 0;
    for (int i = 0; i < field.bytes(); i++) {
      int index = base + field.offset() + i;
      long octet = index < bytes.length ? bytes[index] & 0xff : 0;
      value |= octet << shift(field, i);
    }
    return value;
  }

  /** The low 32 bits of the number in a field; negative when the highest of them is set. */
  public int getInt(Field field) {
    return (int) get(field);
  }

  /** True when any bit of a number is set. */
  public boolean isSet(Field field) {
    return get(field) != 0;
  }

  /**
   * Writes a number; throws {@link IllegalArgumentException} when a field of less than 8 bytes
   * can't hold it as an unsigned one.
   */
  public AbiView set(Field field, long value) {
    if (field.bytes() < Long.BYTES && value >>> 8 * field.bytes() != 0) {
      throw new IllegalArgumentException(
          "0x%x does not fit the %d bytes of %s".formatted(value, field.bytes(), field.name()));
    }
    for (int i = 0; i < field.bytes(); i++) {
      bytes[base + field.offset() + i] = (byte) (value >>> shift(field, i));
    }
    return this;
  }

  /** As {@link #set(Field, long)}; a field of 4 bytes takes the bits of any number. */
  public AbiView set(Field field, int value) {
    return set(field, field.bytes() == Integer.BYTES ? value & 0xffffffffL : (long) value);
  }

  /** Writes 1 or 0. */
  public AbiView set(Field field, boolean value) {
    return set(field, value ? 1 : 0);
  }

  /** The bytes of a field. */
  public byte[] getBytes(Field field) {
    byte[] value = new byte[field.bytes()];
    ByteBuffer.wrap(bytes).get(base + field.offset(), value);
    return value;
  }

  /** Writes the bytes of a field; {@code value} must have its length. */
  public AbiView setBytes(Field field, byte[] value) {
    if (value.length != field.bytes()) {
      throw new IllegalArgumentException(
          "%s takes %d bytes, not %d".formatted(field.name(), field.bytes(), value.length));
    }
    return put(field.offset(), value);
  }

  /** Writes a nested structure: the first bytes of {@code value}. */
  public AbiView set(Area area, AbiView value) {
    ByteBuffer.wrap(bytes)
        .put(base + area.offset(), value.bytes, value.base, area.structure().bytes());
    return this;
  }

  /** Writes bytes that no field describes, such as a list behind the structure. */
  public AbiView put(int offset, byte[] value) {
    ByteBuffer.wrap(bytes).put(base + offset, value);
    return this;
  }

  private static int shift(Field field, int index) {
    return 8 * (LITTLE ? index : field.bytes() - 1 - index);
  }

  /** The array behind this view, not copied. */
  public byte[] bytes() {
    return bytes;
  }
}
