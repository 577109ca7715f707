package dev.bluebell.hca.structure;

/**
 * A field of a structure. Bit 0 is the most significant bit of byte 0, as in {@code mlx5_ifc.h}.
 *
 * <p>The methods on words are for the data path, which reads and writes structures as big-endian
 * 8-byte words: with a constant big-endian field they compile to a shift and a mask.
 *
 * @param name the name in the public headers
 * @param bit offset from the start of the structure, in bits
 * @param width in bits; fields wider than 64 are byte strings
 * @param littleEndian true when the least significant byte comes first; such a field consists of
 *     whole bytes
 */
public record Field(String name, int bit, int width, boolean littleEndian) {
  /** Checks that a field can be read as a number, or is a whole string of bytes. */
  public Field {
    boolean whole = width > 64 || littleEndian;
    if (bit < 0 || width <= 0 || (whole && ((bit | width) & 7) != 0)) {
      throw new IllegalArgumentException("field %s: bit %d width %d".formatted(name, bit, width));
    }
  }

  /** A big-endian field. */
  public Field(String name, int bit, int width) {
    this(name, bit, width, false);
  }

  /** A little-endian field of {@code bytes} bytes, from an offset in bytes. */
  public static Field littleEndian(String name, int offset, int bytes) {
    return new Field(name, 8 * offset, 8 * bytes, true);
  }

  /** Offset in bytes from the start of the structure to the byte in which the field starts. */
  public int offset() {
    return bit >>> 3;
  }

  /** Offset of the first byte behind the field. */
  public int end() {
    return (bit + width + 7) >>> 3;
  }

  /** How many bytes the field lies in. */
  public int bytes() {
    return end() - offset();
  }

  /** True when the field is a number of at most 64 bits. */
  public boolean isNumber() {
    return width <= 64;
  }

  /** The same bits under another name, for other uses of the structure. */
  public Field named(String other) {
    return new Field(other, bit, width, littleEndian);
  }

  /** Offset in bytes of the big-endian 8-byte word in which the field starts. */
  public int word() {
    return bit >>> 6 << 3;
  }

  /** The number in the word at {@link #word}, which must contain the whole field. */
  public long get(long word) {
    return word >>> shift() & mask();
  }

  /** The low 32 bits of the number in the word at {@link #word}. */
  public int getInt(long word) {
    return (int) get(word);
  }

  /** True when any bit of the field is set in the word at {@link #word}. */
  public boolean isSet(long word) {
    return get(word) != 0;
  }

  /** The word at {@link #word} with the low bits of {@code value} in the field, else 0. */
  public long place(long value) {
    return (value & mask()) << shift();
  }

  private int shift() {
    return -(bit + width) & 63;
  }

  private long mask() {
    return -1L >>> -width;
  }

  /**
   * Reads the number from a structure that starts at byte {@code base}; bytes behind the end of the
   * array read as 0.
   */
  public long get(byte[] bytes, int base) {
    long value = 0;
    for (int i = 0; i < width; ) {
      int at = bit + i;
      int taken = Math.min(8 - (at & 7), width - i);
      int index = base + (at >>> 3);
      int octet = index < bytes.length ? bytes[index] & 0xff : 0;
      int part = octet >>> (8 - (at & 7) - taken) & (1 << taken) - 1;
      value = value << taken | part;
      i += taken;
    }
    return ordered(value);
  }

  /**
   * Writes the low {@code width} bits of {@code value}; throws when the value has more bits than
   * the field.
   */
  public void set(byte[] bytes, int base, long value) {
    if (width < 64 && value >>> width != 0) {
      throw new IllegalArgumentException(
          "0x%x does not fit the %d bits of %s".formatted(value, width, name));
    }
    long ordered = ordered(value);
    for (int i = 0; i < width; ) {
      int at = bit + i;
      int taken = Math.min(8 - (at & 7), width - i);
      int shift = 8 - (at & 7) - taken;
      int mask = (1 << taken) - 1;
      int part = (int) (ordered >>> (width - i - taken)) & mask;
      int index = base + (at >>> 3);
      bytes[index] = (byte) (bytes[index] & ~(mask << shift) | part << shift);
      i += taken;
    }
  }

  /** Converts between the number and its bytes in structure order; it is its own inverse. */
  private long ordered(long value) {
    return littleEndian ? Long.reverseBytes(value) >>> -width : value;
  }
}
