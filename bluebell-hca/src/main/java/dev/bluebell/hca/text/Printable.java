package dev.bluebell.hca.text;

import java.util.regex.Pattern;

/**
 * Replaces the characters of untrusted text that a terminal would interpret or hide: control
 * characters, also those from U+0080 on, and characters that change the direction of text. They
 * become escapes such as {@code \u001b}.
 */
public final class Printable {
  private static final Pattern UNPRINTABLE = Pattern.compile("\\p{C}");
  private static final Pattern UNPRINTABLE_BUT_LAYOUT = Pattern.compile("[\\p{C}&&[^\n\t]]");

  private Printable() {}

  /** The text in one line. */
  public static String line(String text) {
    return escape(UNPRINTABLE, text);
  }

  /** The text with its line breaks and tabs. */
  public static String lines(String text) {
    return escape(UNPRINTABLE_BUT_LAYOUT, text);
  }

  private static String escape(Pattern unprintable, String text) {
    return unprintable
        .matcher(text)
        .replaceAll(found -> "\\\\u%04x".formatted(found.group().codePointAt(0)));
  }
}
