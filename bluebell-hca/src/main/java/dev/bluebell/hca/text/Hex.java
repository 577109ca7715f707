package dev.bluebell.hca.text;

import java.util.HexFormat;

/** Hexadecimal text as people paste it from logs. */
public final class Hex {
  private Hex() {}

  /**
   * Parses bytes; white space, {@code :} and {@code 0x} prefixes are ignored.
   *
   * @throws IllegalArgumentException when the rest is not pairs of hexadecimal digits
   */
  public static byte[] parse(String text) {
    String digits = text.replaceAll("0[xX]", "").replaceAll("[\\s:,]+", "");
    return HexFormat.of().parseHex(digits);
  }
}
