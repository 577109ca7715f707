package dev.bluebell.hca.text;

import java.util.List;
import java.util.Optional;

/**
 * One line of a {@link Block}.
 *
 * @param number in the text that it was read from, counted from 1; 0 when it was not read from text
 * @param keyword names what the line describes, such as {@code raddr}; empty for a line of items
 *     alone
 * @param items in the order of the text
 * @param words the rest of the line: groups of hexadecimal digits
 * @param comment for human readers, without its {@code #}; empty when there is none
 */
public record Line(
    int number, String keyword, List<Item> items, List<String> words, String comment) {

  /**
   * A named value.
   *
   * @param name of the field; {@code +0x8} stands for the bits of the dword at byte 8 without a
   *     field name
   * @param value a number, a symbol, or hexadecimal digits
   */
  public record Item(String name, String value) {
    @Override
    public String toString() {
      return name + "=" + value;
    }
  }

  /** Makes the lists unmodifiable. */
  public Line {
    items = List.copyOf(items);
    words = List.copyOf(words);
  }

  static Line ofItems(String keyword, List<Item> items) {
    return new Line(0, keyword, items, List.of(), "");
  }

  static Line ofWords(String keyword, List<Item> items, List<String> words) {
    return new Line(0, keyword, items, words, "");
  }

  static Line ofComment(String comment) {
    return new Line(0, "", List.of(), List.of(), comment);
  }

  /** The value of the item with this name. */
  public Optional<String> value(String name) {
    return items.stream().filter(item -> item.name().equals(name)).map(Item::value).findFirst();
  }

  /** Returns an exception that reports what is wrong with this line. */
  IllegalArgumentException error(String format, Object... arguments) {
    return new IllegalArgumentException("line " + number + ": " + String.format(format, arguments));
  }

  void expectNoWords() {
    if (!words.isEmpty()) {
      throw error("expected name=value, found '%s'", Text.clip(words.getFirst()));
    }
  }

  void expectNoItems() {
    if (!items.isEmpty()) {
      throw error(
          "expected hexadecimal digits, found '%s'", Text.clip(items.getFirst().toString()));
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(keyword);
    for (Item item : items) {
      text.append(' ').append(item);
    }
    for (String word : words) {
      text.append(' ').append(word);
    }
    if (!comment.isEmpty()) {
      text.append(" # ").append(comment);
    }
    return text.toString().strip();
  }
}
