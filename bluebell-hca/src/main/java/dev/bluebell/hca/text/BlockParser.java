package dev.bluebell.hca.text;

import dev.bluebell.hca.text.Line.Item;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses a text that consists of one block. */
final class BlockParser {
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  private final List<Line> lines = new ArrayList<>();
  private final int lastNumber;

  BlockParser(String text) {
    String[] all = LINE_BREAK.split(text, -1);
    for (int i = 0; i < all.length; i++) {
      Line line = line(i + 1, all[i]);
      if (!line.keyword().isEmpty() || !line.items().isEmpty()) {
        lines.add(line);
      }
    }
    lastNumber = all.length;
  }

  private static Line line(int number, String raw) {
    int hash = raw.indexOf('#');
    String code = (hash < 0 ? raw : raw.substring(0, hash)).strip();
    String comment = hash < 0 ? "" : raw.substring(hash + 1).strip();
    String keyword = "";
    List<Item> items = new ArrayList<>();
    List<String> words = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String token : code.isEmpty() ? new String[0] : SPACES.split(code)) {
      int equals = token.indexOf('=');
      if (equals >= 0) {
        Item item = new Item(token.substring(0, equals), token.substring(equals + 1));
        if (item.name().isEmpty() || item.value().isEmpty()) {
          throw error(number, "expected name=value without spaces, found '%s'", Text.clip(token));
        }
        if (!names.add(item.name())) {
          throw error(number, "'%s' is given twice", item.name());
        }
        items.add(item);
      } else if (keyword.isEmpty() && items.isEmpty()) {
        keyword = token;
      } else {
        words.add(token);
      }
    }
    return new Line(number, keyword, items, words, comment);
  }

  private static IllegalArgumentException error(int number, String format, String found) {
    return new IllegalArgumentException(
        "line " + number + ": " + String.format(format, Text.clip(found)));
  }

  Block block() {
    if (lines.isEmpty()) {
      throw error(lastNumber, "expected a block such as 'wqe {', found %s", "nothing");
    }
    Line head = lines.getFirst();
    List<String> words = head.words();
    if (head.keyword().isEmpty() || words.isEmpty() || !words.getLast().equals("{")) {
      throw head.error("expected a block such as 'wqe {', found '%s'", Text.clip(head.toString()));
    }
    if (words.size() > 2) {
      throw head.error(
          "expected '{' after '%s', found '%s'",
          Text.clip(words.getFirst()), Text.clip(words.get(1)));
    }
    int close = 1;
    while (close < lines.size() && !lines.get(close).keyword().equals("}")) {
      close++;
    }
    if (close == lines.size()) {
      throw error(lastNumber, "expected '%s' at the end of the block", "}");
    }
    expectEnd(close);
    String label = words.size() == 2 ? words.getFirst() : "";
    return new Block(head.keyword(), label, head, lines.subList(1, close));
  }

  private void expectEnd(int close) {
    Line last = lines.get(close);
    if (!last.items().isEmpty() || !last.words().isEmpty()) {
      throw last.error("expected nothing after '}', found '%s'", Text.clip(last.toString()));
    }
    if (close + 1 < lines.size()) {
      Line next = lines.get(close + 1);
      throw next.error("expected nothing after the block, found '%s'", Text.clip(next.toString()));
    }
  }
}
