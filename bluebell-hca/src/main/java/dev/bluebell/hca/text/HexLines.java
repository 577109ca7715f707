package dev.bluebell.hca.text;

import dev.bluebell.hca.text.Line.Item;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Bytes as lines of a keyword and up to four groups of four bytes, or {@code zeros=COUNT}. */
final class HexLines {
  private static final int LINE_BYTES = 16;
  private static final int WORD_BYTES = 4;
  private static final String ZEROS = "zeros";

  private HexLines() {}

  /**
   * Describes the bytes {@code from} … {@code to} − 1; full lines of zeros are counted together.
   */
  static List<Line> lines(String keyword, byte[] bytes, int from, int to) {
    List<Line> lines = new ArrayList<>();
    int zeros = 0;
    for (int at = from; at < to; at += LINE_BYTES) {
      int end = Math.min(at + LINE_BYTES, to);
      if (isZero(bytes, at, end)) {
        zeros += end - at;
      } else {
        addZeros(lines, keyword, zeros);
        zeros = 0;
        lines.add(Line.ofWords(keyword, List.of(), words(bytes, at, end)));
      }
    }
    addZeros(lines, keyword, zeros);
    return lines;
  }

  private static void addZeros(List<Line> lines, String keyword, int count) {
    if (count > 0) {
      Item item = new Item(ZEROS, Integer.toString(count));
      lines.add(Line.ofItems(keyword, List.of(item)));
    }
  }

  static boolean isZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  static List<String> words(byte[] bytes, int from, int to) {
    List<String> words = new ArrayList<>();
    for (int at = from; at < to; at += WORD_BYTES) {
      words.add(HexFormat.of().formatHex(bytes, at, Math.min(at + WORD_BYTES, to)));
    }
    return words;
  }

  /** The bytes that a line describes. */
  static byte[] parse(Line line) {
    if (line.words().isEmpty() && line.items().size() == 1 && line.value(ZEROS).isPresent()) {
      return new byte[Text.size(line, ZEROS, line.value(ZEROS).get())];
    }
    line.expectNoItems();
    return parseWords(line);
  }

  static byte[] parseWords(Line line) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String word : line.words()) {
      try {
        bytes.writeBytes(HexFormat.of().parseHex(word));
      } catch (IllegalArgumentException e) {
        throw line.error("expected pairs of hexadecimal digits, found '%s'", Text.clip(word));
      }
    }
    return bytes.toByteArray();
  }
}
