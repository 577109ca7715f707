package dev.bluebell.hca.text;

import java.util.HexFormat;

/** Parser for hexadecimal text as pasted from logs. */
public final class Hex {
  private Hex() {}

  /**
   * Parses bytes; white space, {@code :}, {@code ,} and {@code 0x} prefixes are ignored, and so are
   * the offset ({@code 00000010:}) and the characters ({@code |....|}) of hexdump's and the
   * kernel's lines.
   *
   * @throws IllegalArgumentException when the rest is not pairs of hexadecimal digits
   */
  public static byte[] parse(String text) {
    StringBuilder digits = new StringBuilder(text.length());
    for (String line : text.split("\\R")) {
      digits.append(
          line.replaceFirst("^\\s*(0x)?[0-9a-fA-F]{4,}:(?=\\s)", "")
              .replaceFirst("\\|.*$", "")
              .replaceAll("0[xX]", "")
              .replaceAll("[\\s:,]+", ""));
    }
    for (int i = 0; i < digits.length(); i++) {
      if (!HexFormat.isHexDigit(digits.charAt(i))) {
        throw new IllegalArgumentException(
            "expected hexadecimal digits, found '%s'".formatted(Text.clip(digits.substring(i))));
      }
    }
    if ((digits.length() & 1) != 0) {
      throw new IllegalArgumentException(
          "bytes have two hexadecimal digits each, found %d digits in total"
              .formatted(digits.length()));
    }
    return HexFormat.of().parseHex(digits);
  }

  /** {@code 0x} and as many digits as {@code width} bits need. */
  static String number(long value, int width) {
    return "0x" + HexFormat.of().toHexDigits(value, (width + 3) / 4);
  }
}
