package dev.bluebell.hca.text;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The notation of the number in a field. Every field also accepts a plain number. */
final class Notation {
  static final Notation DECIMAL = new Notation(List.of(), false);
  static final Notation HEX = new Notation(List.of(), true);

  private final List<String> symbols;
  private final boolean hex;

  private Notation(List<String> symbols, boolean hex) {
    this.symbols = symbols;
    this.hex = hex;
  }

  /** Symbols for 0, 1, 2 …; other values are written in hexadecimal. */
  static Notation symbols(String... symbols) {
    return new Notation(List.of(symbols), true);
  }

  /**
   * Symbols from one of the format's own naming functions.
   *
   * @param name gives a name, or text that starts with {@code 0x} for values that have none
   * @param limit the function is called for 0 … limit − 1
   */
  static Notation symbols(IntFunction<String> name, int limit) {
    return new Notation(
        IntStream.range(0, limit)
            .mapToObj(name)
            .map(symbol -> symbol.startsWith("0x") ? "" : symbol)
            .toList(),
        true);
  }

  /** All symbols of the values. */
  List<String> symbols() {
    return symbols.stream().filter(symbol -> !symbol.isEmpty()).toList();
  }

  boolean knows(String symbol) {
    return symbols.contains(symbol);
  }

  String print(long value, int width) {
    if (value >= 0 && value < symbols.size() && !symbols.get((int) value).isEmpty()) {
      return symbols.get((int) value);
    }
    return hex ? Hex.number(value, width) : Long.toUnsignedString(value);
  }

  long parse(Line line, String name, String text) {
    int symbol = symbols.indexOf(text);
    if (symbol >= 0) {
      return symbol;
    }
    boolean numeric = Character.isDigit(text.charAt(0));
    if (!numeric && !symbols.isEmpty()) {
      throw line.error(
          "%s takes a number or one of %s, found '%s'",
          name, String.join(", ", symbols()), Text.clip(text));
    }
    return Text.number(line, name, text);
  }
}
