package dev.bluebell.program;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A constant.
 *
 * @param content its bytes in memory order
 */
public record Literal<K extends Kind>(byte[] content) implements Operand<K> {
  /** Copies the bytes. */
  public Literal {
    content = content.clone();
  }

  /** An integer of {@code bytes} bytes, 1 … 8; higher bits of {@code value} must be 0. */
  public static Literal<Kind.Number> number(long value, int bytes) {
    if (bytes < 1 || bytes > Long.BYTES || bytes < Long.BYTES && value >>> 8 * bytes != 0) {
      throw new IllegalArgumentException("%d does not fit in %d bytes".formatted(value, bytes));
    }
    byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    return new Literal<>(Arrays.copyOf(all, bytes));
  }

  /** An integer of 8 bytes. */
  public static Literal<Kind.Number> number(long value) {
    return number(value, Long.BYTES);
  }

  /** An address, 8 bytes in network order, such as the 0 that ends a list. */
  public static Literal<Kind.Pointer> pointer(long address) {
    return new Literal<>(ByteBuffer.allocate(Long.BYTES).putLong(address).array());
  }

  /** Unconverted bytes. */
  public static Literal<Kind.Bytes> bytes(byte... content) {
    return new Literal<>(content);
  }

  /** A copy of the bytes. */
  @Override
  public byte[] content() {
    return content.clone();
  }

  @Override
  public int bytes() {
    return content.length;
  }

  @Override
  public String toString() {
    return "0x" + HexFormat.of().formatHex(content);
  }
}
