package dev.bluebell.hca.text;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser for hexadecimal text as pasted from logs. */
public final class Hex {
  private static final Pattern WORD = Pattern.compile("[^\\s:,]+");
  private static final Pattern PREFIX = Pattern.compile("0[xX]");

  private Hex() {}

  /**
   * Parses bytes; white space, {@code :}, {@code ,} and {@code 0x} prefixes are ignored, and so are
   * an offset with a colon ({@code 00000010:}) and characters between bars ({@code |....|}), as in
   * the kernel's lines.
   *
   * @throws IllegalArgumentException when the rest is not pairs of hexadecimal digits
   */
  public static byte[] parse(String text) {
    StringBuilder digits = new StringBuilder(text.length());
    for (String line : text.split("\\R")) {
      String rest =
          line.replaceFirst("^\\s*(0x)?[0-9a-fA-F]{4,}:(?=\\s)", "").replaceFirst("\\|.*$", "");
      Matcher words = WORD.matcher(rest);
      while (words.find()) {
        String word = PREFIX.matcher(words.group()).replaceAll("");
        if (!word.chars().allMatch(HexFormat::isHexDigit)) {
          throw new IllegalArgumentException(
              "expected hexadecimal digits, found '%s'"
                  .formatted(Text.clip(rest.substring(words.start()))));
        }
        digits.append(word);
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
