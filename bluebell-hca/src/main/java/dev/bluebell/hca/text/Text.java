package dev.bluebell.hca.text;

/** Helpers that all parsers of text share. */
final class Text {
  /**
   * Maximum number of bytes that text may describe: far more than any queue entry or command has.
   */
  static final int MAX_BYTES = 1 << 20;

  private static final int CLIP = 60;

  private Text() {}

  /** A piece of the text, short and harmless enough to quote in an error message. */
  static String clip(String text) {
    String piece = text.length() <= CLIP ? text : text.substring(0, CLIP) + "…";
    return Printable.line(piece);
  }

  /** Reads an unsigned number, decimal or with {@code 0x}. */
  static long number(Line line, String name, String text) {
    boolean hex = text.startsWith("0x") || text.startsWith("0X");
    try {
      return hex ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseUnsignedLong(text, 10);
    } catch (NumberFormatException e) {
      throw line.error("%s takes a number such as 10 or 0x0a, found '%s'", clip(name), clip(text));
    }
  }

  /** Reads a number of bytes or an offset, at most {@link #MAX_BYTES}. */
  static int size(Line line, String name, String text) {
    long value = number(line, name, text);
    if (value < 0 || value > MAX_BYTES) {
      throw line.error("%s is at most %d, found %s", name, MAX_BYTES, clip(text));
    }
    return (int) value;
  }
}
