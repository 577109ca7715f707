package dev.bluebell.hca.text;

import java.util.List;

/**
 * The text form that all formats share: a kind, and lines between braces.
 *
 * <pre>
 * wqe {
 *   ctrl opcode=RDMA_WRITE index=0 qpn=0x0a1b01 ds=3 ce=always
 *   raddr address=0x0000123456789abc rkey=0x00c0ffee
 *   data byte_count=64 lkey=0x00a0b000 address=0x00007f1122330000
 * }
 * </pre>
 *
 * <p>A line is an optional keyword, then {@code name=value} items and groups of hexadecimal digits
 * in any order. Numbers are decimal or start with {@code 0x}. A {@code #} starts a comment. Blank
 * lines and indentation are ignored.
 *
 * @param kind first word: {@code wqe}, {@code recv}, {@code cqe}, {@code mini_cqes}, {@code input}
 *     or {@code output}
 * @param label second word, such as the name of a command; empty when there is none
 * @param head the first line, with the items behind the label
 * @param lines the lines between the braces
 */
public record Block(String kind, String label, Line head, List<Line> lines) {

  /** Makes the list unmodifiable. */
  public Block {
    lines = List.copyOf(lines);
  }

  static Block of(String kind, List<Line> lines) {
    return new Block(kind, "", Line.ofItems(kind, List.of()), lines);
  }

  static Block of(String kind, String label, List<Line.Item> items, List<Line> lines) {
    return new Block(kind, label, Line.ofItems(kind, items), lines);
  }

  /**
   * Reads text.
   *
   * @throws IllegalArgumentException when the text is not a block; the message names the line and
   *     what was expected there
   */
  public static Block parse(String text) {
    return new BlockParser(text).block();
  }

  Block expectKind(String expected) {
    if (!kind.equals(expected)) {
      throw head.error("expected '%s {', found '%s'", expected, Text.clip(kind));
    }
    return this;
  }

  /** The text, one line for each of {@link #lines}, ending with a line break. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(kind);
    if (!label.isEmpty()) {
      text.append(' ').append(label);
    }
    head.items().forEach(item -> text.append(' ').append(item));
    text.append(" {\n");
    lines.forEach(line -> text.append("  ").append(line).append('\n'));
    return text.append("}\n").toString();
  }
}
