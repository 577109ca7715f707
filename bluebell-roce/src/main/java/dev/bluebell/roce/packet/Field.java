package dev.bluebell.roce.packet;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A field of a header: the single definition with which the data path, values and text read and
 * write it. All fields are big-endian. Reading and writing allocates nothing, except for {@link
 * #value} and {@link #put(ByteBuffer, int, BigInteger)}.
 *
 * <p>A record, because the JIT compiler treats its components as constants where the field itself
 * is one. Buffers must be in big-endian order, which is that of new ones.
 *
 * @param name as the InfiniBand specification or the RFC has it, in lower case
 * @param bit the first bit, counted from the most significant bit of the header's first byte
 * @param bits its width, 1 … 64, or 128 for an address
 * @param form how its value is written
 */
public record Field(String name, int bit, int bits, Form form) {
  private static final int LONG_BITS = 64;

  private int firstByte() {
    return bit >>> 3;
  }

  private int bytes() {
    return (bit + bits + 7 >>> 3) - firstByte();
  }

  private int shift() {
    return -(bit + bits) & 7;
  }

  private long mask() {
    return -1L >>> LONG_BITS - bits;
  }

  /** The first bit behind the field. */
  int end() {
    return bit + bits;
  }

  /**
   * Reads the field, at most 64 bits.
   *
   * @param at offset of the header in the buffer
   */
  public long get(ByteBuffer buffer, int at) {
    return load(buffer, at + firstByte(), bytes()) >>> shift() & mask();
  }

  /** Reads the low 32 bits of the field. */
  public int getInt(ByteBuffer buffer, int at) {
    return (int) get(buffer, at);
  }

  /** Writes the field, at most 64 bits; higher bits of the value are ignored. */
  public void put(ByteBuffer buffer, int at, long value) {
    int from = at + firstByte();
    long others = bits == bytes() * 8 ? 0 : load(buffer, from, bytes()) & ~(mask() << shift());
    store(buffer, from, bytes(), others | (value & mask()) << shift());
  }

  /**
   * Returns a value shifted to the position of the field in its 8-byte word, so that fields of one
   * word can be written together. The first word starts at the header's first byte.
   *
   * @param value higher bits are ignored
   */
  public long word(long value) {
    return (value & mask()) << LONG_BITS - (bit & LONG_BITS - 1) - bits;
  }

  /** The first 8 bytes of an address, or the last 8 ones. */
  public long half(ByteBuffer buffer, int at, boolean low) {
    return buffer.getLong(at + firstByte() + (low ? Long.BYTES : 0));
  }

  /** Writes an address of 16 bytes. */
  public void putHalves(ByteBuffer buffer, int at, long high, long low) {
    buffer.putLong(at + firstByte(), high);
    buffer.putLong(at + firstByte() + Long.BYTES, low);
  }

  private static long load(ByteBuffer buffer, int at, int bytes) {
    return switch (bytes) {
      case 1 -> buffer.get(at) & 0xffL;
      case 2 -> buffer.getShort(at) & 0xffffL;
      case 3 -> (buffer.getShort(at) & 0xffffL) << 8 | buffer.get(at + 2) & 0xff;
      case 4 -> buffer.getInt(at) & 0xffff_ffffL;
      case 6 -> (buffer.getInt(at) & 0xffff_ffffL) << 16 | buffer.getShort(at + 4) & 0xffff;
      case 8 -> buffer.getLong(at);
      default -> throw new IllegalStateException("no field has %d bytes".formatted(bytes));
    };
  }

  private static void store(ByteBuffer buffer, int at, int bytes, long value) {
    switch (bytes) {
      case 1 -> buffer.put(at, (byte) value);
      case 2 -> buffer.putShort(at, (short) value);
      case 3 -> {
        buffer.putShort(at, (short) (value >>> 8));
        buffer.put(at + 2, (byte) value);
      }
      case 4 -> buffer.putInt(at, (int) value);
      case 6 -> {
        buffer.putInt(at, (int) (value >>> 16));
        buffer.putShort(at + 4, (short) value);
      }
      case 8 -> buffer.putLong(at, value);
      default -> throw new IllegalStateException("no field has %d bytes".formatted(bytes));
    }
  }

  /** Reads a field of any width as a nonnegative number. */
  public BigInteger value(ByteBuffer buffer, int at) {
    return bits <= LONG_BITS
        ? unsigned(get(buffer, at))
        : unsigned(half(buffer, at, false))
            .shiftLeft(LONG_BITS)
            .or(unsigned(half(buffer, at, true)));
  }

  /** The text of the field in its form. */
  public String text(ByteBuffer buffer, int at) {
    return form.text(value(buffer, at), bits);
  }

  /** Writes a field of any width. */
  void put(ByteBuffer buffer, int at, BigInteger value) {
    if (bits <= LONG_BITS) {
      put(buffer, at, value.longValue());
    } else {
      putHalves(buffer, at, value.shiftRight(LONG_BITS).longValue(), value.longValue());
    }
  }

  private static BigInteger unsigned(long value) {
    BigInteger low = BigInteger.valueOf(value & Long.MAX_VALUE);
    return value < 0 ? low.setBit(LONG_BITS - 1) : low;
  }
}
