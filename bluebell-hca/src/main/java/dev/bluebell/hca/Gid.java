package dev.bluebell.hca;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A 128-bit global identifier; for RoCEv2 an IPv6 address or an IPv4-mapped one.
 *
 * @param high bytes 0–7, big-endian
 * @param low bytes 8–15, big-endian
 */
public record Gid(long high, long low) {
  public static final Gid ZERO = new Gid(0, 0);
  private static final int BYTES = 16;
  private static final Pattern TEXT = Pattern.compile("[0-9a-fA-F]{4}(:[0-9a-fA-F]{4}){7}");

  /** The GID of an IPv4 address, {@code ::ffff:a.b.c.d}. */
  public static Gid ofIpv4(int address) {
    return new Gid(0, 0xffff_0000_0000L | address & 0xffffffffL);
  }

  /**
   * Decodes 16 bytes in wire order.
   *
   * @throws IllegalArgumentException for another number of bytes
   */
  public static Gid of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new Gid(in.getLong(), in.getLong());
  }

  /**
   * Parses the text that {@link #toString} returns: eight groups of four hexadecimal digits.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static Gid parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a GID has eight groups of four hexadecimal digits, such as"
              + " fe80:0000:0000:0000:0000:0000:0000:0001, not '"
              + text
              + "'");
    }
    return of(HexFormat.of().parseHex(text.replace(":", "")));
  }

  /** True for the GID of an IPv4 address. */
  public boolean isIpv4() {
    return high == 0 && low >>> 32 == 0xffff;
  }

  /** The 16 bytes in wire order. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  @Override
  public String toString() {
    String digits = HexFormat.of().formatHex(bytes());
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < 32; i += 4) {
      text.append(i == 0 ? "" : ":").append(digits, i, i + 4);
    }
    return text.toString();
  }
}
