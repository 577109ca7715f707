package dev.bluebell.cli.paste;

import dev.bluebell.cli.paste.Row.Style;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the rows of dumps among other lines.
 *
 * <p>A line without any other text is a row, however short. Behind the prefix of a logger, and in
 * front of what it appends, a row has at least 16 bytes, so no list of prefixes is needed. A
 * shorter row with an address is accepted there only as part of a dump that has begun.
 */
final class RowParser {
  private static final String DIGIT = "[0-9a-fA-F]";
  private static final String END = "(?![0-9a-zA-Z_])";

  /**
   * Groups of 16 bytes or more. A line break that a program wrote as two characters may precede.
   */
  private static final Pattern RUN =
      Pattern.compile(
          "(?:(?<![0-9a-zA-Z_])|(?<=\\\\n))(?:"
              + run("(?:0[xX])?" + DIGIT + "{8}" + END, 4)
              + "|"
              + run(DIGIT + "{2}" + END, 16)
              + "|"
              + run(DIGIT + "{4}" + END, 8)
              + ")");

  /** The address in front of a run. */
  private static final Pattern ADDRESS_BEFORE =
      Pattern.compile(
          "(?<![0-9a-zA-Z_.:-])(?:(?:0[xX])?"
              + DIGIT
              + "{2,16}(?: ?<[^<>]{1,200}>)?:[ \\t]+|"
              + DIGIT
              + "{6,16}[ \\t]+)$");

  /** A row with an address, of any length, at the end of a line. Greedy groups would recurse. */
  private static final Pattern ADDRESSED =
      Pattern.compile(
          "(?<![0-9a-zA-Z_.:-])"
              + DIGIT
              + "{4,16}:[ \\t]+"
              + DIGIT
              + "{2,8}(?:[ \\t]+"
              + DIGIT
              + "{2,8})*+$");

  /** Two groups of a run between others: a quick test for most lines, which have no run. */
  private static final Pattern PAIR =
      Pattern.compile(
          "[ \\t](?:0[xX])?" + DIGIT + "{2,8},?[ \\t]+(?:0[xX])?" + DIGIT + "{2,8}[ \\t,]");

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** Lines of logs are shorter than this. */
  private static final int LONGEST_PREFIXED = 1 << 16;

  /** An address is not farther than this in front of its row. */
  private static final int LONGEST_ADDRESS_TEXT = 256;

  private static final int LONGEST_LABEL = 3;
  private static final Pattern ADDRESS =
      Pattern.compile("^(0[xX])?([0-9a-fA-F]{1,16})(?: ?<[^<>]{1,200}>)?:(?:\\s+|$)");
  private static final Pattern GAP = Pattern.compile("\\s{2,}");
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final int LONGEST_ADDRESS = 16;
  private static final int OCTAL_ADDRESS = 7;

  private RowParser() {}

  private static String run(String group, int least) {
    return group + "(?:,?[ \\t]+" + group + "){" + (least - 1) + ",}+";
  }

  /**
   * The rows in a line.
   *
   * @param body the line without marks of quotation
   * @param isOpen true if rows of a dump with addresses came before, or are announced
   */
  static List<Row> rows(int number, String line, String body, boolean isOpen) {
    Optional<Row> whole = parse(number, body);
    if (whole.isPresent()) {
      return List.of(whole.get());
    }
    if (line.length() > LONGEST_PREFIXED || !isOpen && !PAIR.matcher(line).find()) {
      return List.of();
    }
    List<Row> rows = new ArrayList<>();
    int behind = 0;
    Matcher run = RUN.matcher(line);
    while (run.find()) {
      int from = addressBefore(line, behind, run);
      String prefix = prefix(line, behind, from);
      parse(number, line.substring(from))
          .filter(row -> row.groups().size() * row.width() >= Long.BYTES * 4)
          .or(() -> parse(number, line.substring(from, run.end())))
          .ifPresent(row -> rows.add(row.behind(prefix)));
      behind = run.end();
    }
    return rows.isEmpty() && isOpen ? addressed(number, body) : rows;
  }

  /** The text before a row, with a 0 for each number: times and ranks differ from row to row. */
  static String prefix(String line, int from, int to) {
    return NUMBER.matcher(line.substring(from, to)).replaceAll("0");
  }

  /** Where a row begins whose groups were found. */
  private static int addressBefore(String line, int from, Matcher run) {
    int farthest = Math.max(from, run.start() - LONGEST_ADDRESS_TEXT);
    String before = line.substring(farthest, run.start());
    Matcher address = ADDRESS_BEFORE.matcher(before);
    boolean found = address.find() && isAddressOf(address.group(), run.group());
    return found ? farthest + address.start() : run.start();
  }

  /** Without a colon, a word as wide as the groups is data, and next to wide groups a time. */
  private static boolean isAddressOf(String address, String run) {
    return address.indexOf(':') >= 0 || Character.isWhitespace(run.charAt(2));
  }

  private static List<Row> addressed(int number, String line) {
    Matcher row = ADDRESSED.matcher(line);
    return row.find() ? parse(number, line.substring(row.start())).stream().toList() : List.of();
  }

  /** The row that a line consists of; empty if it is not a row. */
  private static Optional<Row> parse(int number, String line) {
    if (line.isEmpty() || !HexFormat.isHexDigit(line.charAt(0))) {
      return Optional.empty();
    }
    Matcher address = ADDRESS.matcher(line);
    return address.find()
        ? withAddress(number, address, line.substring(address.end()))
        : withoutColon(number, line);
  }

  private static Optional<Row> withAddress(int number, Matcher address, String rest) {
    Columns columns = Columns.of(rest, true);
    if (columns == null) {
      return Optional.empty();
    }
    boolean debugger = address.group(1) != null;
    if (!debugger && address.group(2).length() <= LONGEST_LABEL && columns.width() == 8) {
      // Launchers such as srun --label number the processes; words of 4 bytes have longer
      // addresses.
      return Optional.of(
          new Row(number, null, Style.NONE, columns.groups, columns.characters, "0: "));
    }
    return Optional.of(
        new Row(
            number,
            address.group(2),
            debugger ? Style.DEBUGGER : Style.COLON,
            columns.groups,
            columns.characters,
            ""));
  }

  /** The first group is an address only if its width differs from that of the data. */
  private static Optional<Row> withoutColon(int number, String line) {
    String[] parts = SPACES.split(line, 2);
    if (parts.length == 2 && isAddress(parts[0])) {
      Columns rest = Columns.of(parts[1], true);
      if (rest != null && rest.width() != parts[0].length() && !rest.prefixed) {
        return Optional.of(new Row(number, parts[0], Style.BARE, rest.groups, rest.characters, ""));
      }
    }
    Columns all = Columns.of(line, false);
    if (all == null || all.octal) {
      return Optional.empty();
    }
    return Optional.of(new Row(number, null, Style.NONE, all.groups, all.characters, ""));
  }

  /** True for the final address line of od and hexdump, the end of the data. */
  static boolean isEnd(String line) {
    return line.length() >= 6 && isAddress(line);
  }

  private static boolean isAddress(String word) {
    return word.length() >= 4 && word.length() <= LONGEST_ADDRESS && isHex(word);
  }

  private static boolean isHex(String word) {
    return !word.isEmpty() && word.chars().allMatch(HexFormat::isHexDigit);
  }

  /** Groups of digits, and the characters after them. */
  private static final class Columns {
    private final List<String> groups = new ArrayList<>();
    private String characters = "";
    private boolean prefixed;
    private boolean octal;
    private final boolean addressed;
    private int bytes;

    private Columns(boolean addressed) {
      this.addressed = addressed;
    }

    /**
     * Reads a line, or the rest of it after its address; null unless it has groups of digits of one
     * width.
     */
    static @Nullable Columns of(String text, boolean addressed) {
      Columns columns = new Columns(addressed);
      return columns.read(columns.cutMarked(text.strip())) && columns.isEven() ? columns : null;
    }

    int width() {
      return groups.getFirst().length();
    }

    /** Cuts off characters between marks: {@code |....|}, {@code >....<}. */
    private String cutMarked(String text) {
      int bar = text.indexOf('|');
      if (bar >= 0) {
        String behind = text.substring(bar + 1);
        characters = behind.endsWith("|") ? behind.substring(0, behind.length() - 1) : "";
        return text.substring(0, bar).strip();
      }
      int open = text.indexOf(" >");
      if (open >= 0 && text.endsWith("<")) {
        characters = text.substring(open + 2, text.length() - 1);
        return text.substring(0, open).strip();
      }
      return text;
    }

    private boolean read(String text) {
      int from = 0;
      Matcher gap = GAP.matcher(text);
      while (from < text.length()) {
        boolean more = gap.find(from);
        String field = text.substring(from, more ? gap.start() : text.length());
        if (!addGroups(field)) {
          characters = text.substring(from);
          // Text that begins with digits is not data: "10 packets".
          return addressed && !groups.isEmpty() && characters.length() <= bytes;
        }
        from = more ? gap.end() : text.length();
      }
      return !groups.isEmpty();
    }

    /** Adds the groups of a field; false if the field is characters. */
    private boolean addGroups(String field) {
      if (addressed && !groups.isEmpty() && field.length() == bytes) {
        return false;
      }
      List<String> found = new ArrayList<>();
      for (String word : SPACES.split(field)) {
        String digits = word.endsWith(",") ? word.substring(0, word.length() - 1) : word;
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
          prefixed = true;
          digits = digits.substring(2);
        }
        if (!isHex(digits)) {
          return false;
        }
        found.add(digits);
      }
      groups.addAll(found);
      bytes += found.stream().mapToInt(group -> group.length() / 2).sum();
      return true;
    }

    /** True if all groups have a width that dumps use; only the last may be narrower. */
    private boolean isEven() {
      int width = width();
      int last = groups.getLast().length();
      boolean same =
          groups.subList(0, groups.size() - 1).stream().allMatch(group -> group.length() == width)
              && last <= width;
      octal = same && last == width && (width == 3 || width == 6) && isOctal();
      boolean known = width == 2 || width == 4 || width == 8 || width == 16;
      boolean run = groups.size() == 1 && width % 2 == 0 && width >= OCTAL_ADDRESS;
      return same && (octal || (known || run) && last % 2 == 0);
    }

    private boolean isOctal() {
      return groups.stream()
          .allMatch(
              group ->
                  group.chars().allMatch(digit -> digit >= '0' && digit <= '7')
                      && Integer.parseInt(group, 8) < 1 << 8 * (group.length() / 3));
    }
  }
}
