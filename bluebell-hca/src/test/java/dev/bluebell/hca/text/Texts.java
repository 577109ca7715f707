package dev.bluebell.hca.text;

import java.util.List;

/** Extracts values from texts. */
final class Texts {
  private Texts() {}

  static List<Line> lines(String text, String keyword) {
    return Block.parse(text).lines().stream()
        .filter(line -> line.keyword().equals(keyword))
        .toList();
  }

  static Line line(String text, String keyword) {
    List<Line> lines = lines(text, keyword);
    if (lines.size() != 1) {
      throw new AssertionError(lines.size() + " lines of " + keyword + " in " + text);
    }
    return lines.getFirst();
  }

  /** The number of an item; 0 when the line leaves it out. */
  static long number(Line line, String name) {
    return line.value(name).map(value -> Text.number(line, name, value)).orElse(0L);
  }

  /** The value of an item that has a line of its own. */
  static String value(String text, String name) {
    return Block.parse(text).lines().stream()
        .flatMap(line -> line.value(name).stream())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + text));
  }
}
