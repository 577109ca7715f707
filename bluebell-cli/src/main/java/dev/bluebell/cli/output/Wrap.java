package dev.bluebell.cli.output;

import dev.bluebell.hca.text.Printable;

/** Breaks long sentences into lines. */
public final class Wrap {
  private Wrap() {}

  /**
   * Breaks a text between words. It may quote input: what a terminal would interpret becomes
   * escapes.
   *
   * @param indent in front of each line
   * @param width most characters of a line, including the indent
   */
  public static String wrap(String text, String indent, int width) {
    StringBuilder lines = new StringBuilder();
    int used = 0;
    for (String word : Printable.lines(text).split(" ")) {
      if (used > 0 && used + 1 + word.length() > width) {
        lines.append(System.lineSeparator());
        used = 0;
      }
      lines.append(used == 0 ? indent : " ").append(word);
      used = used == 0 ? indent.length() + word.length() : used + 1 + word.length();
    }
    return lines.toString();
  }
}
