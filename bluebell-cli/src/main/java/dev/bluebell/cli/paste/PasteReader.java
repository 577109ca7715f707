package dev.bluebell.cli.paste;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.text.Hex;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds dumps and failure reports in pasted text, line by line: lines become rows, rows become
 * dumps, and what cannot be read does not keep the rest from being read.
 */
public final class PasteReader {
  private static final int MAX_BYTES = 1 << 24;

  /** Lines that report a failure are shorter than this. */
  private static final int LONGEST_REPORT = 4096;

  /** Bytes are announced at most this many lines before them. */
  private static final int FARTHEST_ROW = 64;

  /** Mails and chats, which wrap lines, are shorter than this; logs, which do not, are longer. */
  private static final int WRAPPED_LINES = 2000;

  private static final int MOST_JOINED = 4;

  /**
   * A line of digits and separators, without an offset and the characters between bars. Possessive,
   * because two repetitions take blanks.
   */
  private static final Pattern PLAIN =
      Pattern.compile("\\s*+(?:(?:0x)?[0-9a-fA-F]{4,}:(?=\\s))?[0-9a-fA-FxX\\s:,]*+(?:\\|.*)?");

  private static final int LONGEST_QUOTE = 60;

  /** Characters of a block of digits: more than those of any dump, with all separators. */
  private static final int LONGEST_BLOCK = DumpBuilder.MAX_BYTES * 8;

  /** Bytes of the rows in memory: those of some dumps that fit, and of the largest one. */
  private static final int MAX_ROW_BYTES = DumpBuilder.MAX_BYTES * 2;

  private final List<Piece> pieces = new ArrayList<>();
  private final BitSet leftOut = new BitSet();

  /** The headline of the rows, and the numbers of all lines like it. */
  private @Nullable Headline headline;

  private final List<Integer> announced = new ArrayList<>();
  private boolean isReported;
  private List<Row> rows = new ArrayList<>();
  private long rowBytes;
  private int lastNumber;
  private long dumpedBytes;
  private List<Integer> stars = new ArrayList<>();
  private @Nullable String end;

  /** Lines since the last blank line or dump, while they consist of digits and separators only. */
  private final List<String> plain = new ArrayList<>();

  private boolean isPlain = true;
  private int plainFrom;
  private int plainLength;
  private @Nullable String firstRefusal;

  /** The last lines that were not understood, which may be parts of a wrapped one. */
  private final Deque<String> unknown = new ArrayDeque<>();

  private PasteReader() {}

  /**
   * The contents of a pasted text.
   *
   * @param pieces in the order of the text
   * @param leftOut numbers of all other lines, from 1; a set, because logs may have millions
   */
  public record Paste(List<Piece> pieces, BitSet leftOut) {
    /** Makes the list unmodifiable. */
    public Paste {
      pieces = List.copyOf(pieces);
    }
  }

  /**
   * Reads text.
   *
   * @throws IllegalArgumentException when nothing in the text is recognized
   */
  public static Paste read(String text) {
    try {
      return read(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads text to its end, however long it is.
   *
   * @param text with any line breaks; it should have a buffer
   * @throws IllegalArgumentException when nothing in the text is recognized
   */
  public static Paste read(Reader text) throws IOException {
    PasteReader reader = new PasteReader();
    Lines lines = new Lines(text);
    int number = 0;
    while (lines.next()) {
      reader.line(++number, lines.line());
    }
    reader.headlineIsFar(Integer.MAX_VALUE);
    reader.endBlock();
    if (reader.pieces.isEmpty() && reader.firstRefusal instanceof String why) {
      throw new IllegalArgumentException(
          "this has neither bytes (%s) nor an error line that decode knows; docs/failures/README.md lists failures by status and by symptom"
              .formatted(why));
    }
    reader.pieces.sort(Comparator.comparingInt(Piece::line));
    return new Paste(reader.pieces, reader.leftOut);
  }

  /**
   * Reads a line.
   *
   * @param text null when it is too long for a line of a log
   */
  private void line(int number, @Nullable String text) {
    headlineIsFar(number);
    if (text == null) {
      unknown.clear();
      refuse("line %d is too long for a line of a log".formatted(number));
      leftOut.set(number);
      return;
    }
    String line = LogPrefix.clean(text);
    if (line.isBlank()) {
      unknown.clear();
      endBlock();
      return;
    }
    addPlain(number, line);
    String body = LogPrefix.strip(line);
    Optional<Headline> says = Headline.in(line);
    boolean addressed = !rows.isEmpty() && rows.getLast().address() != null;
    List<Row> found = RowParser.rows(number, line, body, addressed || says.isPresent());
    says.ifPresent(told -> announce(number, told, !found.isEmpty()));
    if (!found.isEmpty() && !isEnd(body)) {
      unknown.clear();
      lastNumber = number;
      found.forEach(this::add);
      // Lines of several processes may be printed as one.
      pieces.addAll(reports(number, line));
    } else if (isStar(line, body)) {
      stars.add(number);
    } else if (isEnd(body)) {
      end = body;
      endDump();
    } else {
      other(number, line, says.isPresent());
    }
  }

  /** Keeps a line for a block of digits. */
  private void addPlain(int number, String line) {
    if (isPlain && !PLAIN.matcher(line).matches()) {
      isPlain = false;
      plain.clear();
      String text = line.strip();
      String quote = text.substring(0, Math.min(LONGEST_QUOTE, text.length()));
      refuse("line %d is '%s%s'".formatted(number, quote, quote.equals(text) ? "" : "…"));
    }
    if (isPlain) {
      if (plain.isEmpty()) {
        plainFrom = number;
        plainLength = 0;
      }
      plain.add(line);
      plainLength += line.length();
    }
    if (isPlain && plainLength > LONGEST_BLOCK) {
      isPlain = false;
      plain.clear();
      refuse("the digits from line %d on are longer than any dump".formatted(plainFrom));
    }
  }

  private void refuse(@Nullable String why) {
    if (firstRefusal == null) {
      firstRefusal = why;
    }
  }

  /** Takes note of a headline; it may also be the prefix of each row. */
  private void announce(int number, Headline told, boolean isPrefix) {
    boolean again = told == headline;
    if (again && isPrefix) {
      return;
    }
    // Processes that fail at once print in between each other's lines.
    if (!again || !told.isCompletion() || isComplete() || !told.isAlwaysFollowed()) {
      endDump();
      isReported = false;
    }
    headline = told;
    announced.add(number);
    lastNumber = number;
  }

  /** True if all announced bytes are here. */
  private boolean isComplete() {
    return headline != null
        && headline.isCompletion()
        && rowBytes >= Math.max(1L, announced.size()) * Cqe.BYTES;
  }

  /** True if the bytes of a completion are missing still, which may follow after other lines. */
  private boolean isOpen() {
    return headline != null
        && headline.isCompletion()
        && (headline.isAlwaysFollowed() || !rows.isEmpty())
        && !isComplete();
  }

  /** Gives up a headline when the bytes below it do not come. */
  private void headlineIsFar(int number) {
    if (headline != null && number - lastNumber > FARTHEST_ROW) {
      endDump();
    }
  }

  private void add(Row row) {
    if (!rows.isEmpty() && continues(row)) {
      rows.set(rows.size() - 1, rows.getLast().with(row));
    } else {
      boolean isFull = rowBytes >= DumpBuilder.MAX_BYTES && isFirst(row);
      if (!rows.isEmpty() && (isFull || isOther(row))) {
        Headline told = headline;
        endDump();
        headline = told;
      }
      if (rowBytes <= MAX_ROW_BYTES) {
        rows.add(row);
      }
    }
    rowBytes += row.size(Row.Digits.BYTES);
    if (isComplete()) {
      endDump();
    }
  }

  /** True for the second half of a row that was wrapped. */
  private boolean continues(Row row) {
    Row last = rows.getLast();
    return last.address() != null
        && row.address() == null
        && last.width() == 2
        && row.width() == 2
        && last.groups().size() + row.groups().size() == CqeEnd.BYTES;
  }

  /** True for the first row of the next dump: its address is not above the one before. */
  private boolean isFirst(Row row) {
    long last = rows.getLast().address(16).orElse(-1);
    return row.address(16).orElse(Long.MAX_VALUE) <= last;
  }

  private boolean isOther(Row row) {
    Row first = rows.getFirst();
    boolean style = (first.address() == null) != (row.address() == null);
    return style
        || headline == null && row.address() == null && !row.prefix().equals(first.prefix());
  }

  /** True for the star that stands for repeated rows, also behind the prefix of a logger. */
  private boolean isStar(String line, String body) {
    return !rows.isEmpty()
        && (body.equals("*")
            || line.endsWith("*")
                && RowParser.prefix(line, 0, line.length() - 1).equals(rows.getLast().prefix()));
  }

  /** True for the last address of a dump, on a line of its own, as od and hexdump print it. */
  private boolean isEnd(String body) {
    return !rows.isEmpty() && rows.getLast().style() == Row.Style.BARE && RowParser.isEnd(body);
  }

  /** Log lines may appear between the lines of a dump that has addresses, or was announced. */
  private void other(int number, String line, boolean isHeadline) {
    if (!isOpen() && !rows.isEmpty() && rows.getLast().address() == null && !isDigits(line)) {
      endDump();
    }
    List<Piece> found = reports(number, line);
    isReported |= isHeadline && !found.isEmpty();
    if (!found.isEmpty() || isHeadline) {
      unknown.clear();
      pieces.addAll(found);
    } else if (!wrapped(number, line)) {
      leftOut.set(number);
    }
  }

  /** Joins a line with those before it; true if a program printed them as one. */
  private boolean wrapped(int number, String line) {
    if (number > WRAPPED_LINES) {
      return false;
    }
    String joined = LogPrefix.text(line);
    int lines = 1;
    String next = line;
    for (String before : unknown) {
      boolean inWord = LogPrefix.isBroken(before) && !next.startsWith(" ");
      joined = LogPrefix.text(before) + (inWord ? "" : " ") + joined;
      next = before;
      lines++;
      List<Piece> found = reports(number - lines + 1, joined);
      if (!found.isEmpty()) {
        pieces.addAll(found);
        leftOut.clear(number - lines + 1, number);
        unknown.clear();
        return true;
      }
    }
    unknown.addFirst(line);
    if (unknown.size() == MOST_JOINED) {
      unknown.removeLast();
    }
    return false;
  }

  private static List<Piece> reports(int number, String line) {
    return line.length() > LONGEST_REPORT
        ? List.of()
        : Stream.of(
                Report.in(number, line),
                FailedRequest.in(number, line),
                CommandRefusal.in(number, line),
                Notice.in(number, line))
            .<Piece>flatMap(Optional::stream)
            .toList();
  }

  private static boolean isDigits(String line) {
    try {
      return Hex.parse(line).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void add(Piece piece) {
    if (piece instanceof Dump dump) {
      boolean tooMuch = dumpedBytes > MAX_BYTES;
      dumpedBytes += dump.bytes().length;
      if (dumpedBytes > MAX_BYTES) {
        if (!tooMuch) {
          pieces.add(
              new Unread(
                  dump.line(),
                  "the dumps above have more than %d bytes, so this one and later ones are not decoded: pass only the part that matters"
                      .formatted(MAX_BYTES)));
        }
        return;
      }
    }
    pieces.add(piece);
  }

  /** True for rows that are a few digits among other text, such as counters. */
  private boolean isChance() {
    return headline == null
        && !rows.isEmpty()
        && rowBytes < CqeEnd.BYTES
        && rows.getFirst().address() == null;
  }

  private void endDump() {
    if (isChance()) {
      rows.forEach(row -> leftOut.set(row.number()));
    } else if (!rows.isEmpty()) {
      if (rowBytes > MAX_ROW_BYTES) {
        pieces.add(DumpBuilder.tooLong(rows.getFirst().number()));
      } else {
        new DumpBuilder(headline, rows, stars, end).pieces().forEach(this::add);
      }
      plain.clear();
      isPlain = true;
    } else if (headline != null && headline.isAlwaysFollowed() && !isReported) {
      pieces.add(
          new Unread(
              announced.getFirst(),
              "this line announces the bytes of %s, but they are not in the lines below it"
                  .formatted(headline.isCompletion() ? "a completion" : "a WQE")));
    }
    headline = null;
    announced.clear();
    rows = new ArrayList<>();
    rowBytes = 0;
    stars = new ArrayList<>();
    end = null;
  }

  /** Called at a blank line, and at the end. */
  private void endBlock() {
    if (!isOpen()) {
      boolean digitsOnly = headline == null && rows.stream().allMatch(row -> row.address() == null);
      if (digitsOnly && !plain.isEmpty() && addPlainBlock()) {
        rows.clear();
      }
      endDump();
    }
    plain.clear();
    isPlain = true;
  }

  /** Joins the last row of a completion with the three before it, if blank lines separate them. */
  private boolean addToRowsBefore(byte[] last) {
    int first = pieces.size() - Cqe.BYTES / CqeEnd.BYTES + 1;
    if (first < 0 || last.length != CqeEnd.BYTES) {
      return false;
    }
    List<Piece> before = pieces.subList(first, pieces.size());
    ByteBuffer whole = ByteBuffer.allocate(Cqe.BYTES);
    for (int i = 0; i < before.size(); i++) {
      int line = plainFrom - 2 * (before.size() - i);
      if (!(before.get(i) instanceof Dump row) || !isRow(row, line)) {
        return false;
      }
      whole.put(row.bytes());
    }
    int line = before.getFirst().line();
    before.clear();
    List<String> guess = List.of("the rows that blank lines separate belong to one completion");
    pieces.add(new Dump(line, "hexadecimal", whole.put(last).array(), null, null, guess));
    return true;
  }

  private static boolean isRow(Dump dump, int line) {
    return dump.headline() == null && dump.bytes().length == CqeEnd.BYTES && dump.line() == line;
  }

  /**
   * Tries to read a block as digits with any separators.
   *
   * @return false when it is a dump with an address column after all, or has no digits
   */
  private boolean addPlainBlock() {
    try {
      List<Dump> dumps =
          rows.isEmpty() ? List.of() : new DumpBuilder(null, rows, stars, null).build();
      if (rows.size() > 1 && !dumps.getFirst().guesses().isEmpty()) {
        return false;
      }
      byte[] bytes = Hex.parse(String.join("\n", plain));
      leftOut.clear(plainFrom, Math.max(plainFrom, leftOut.length()));
      if (CqeEnd.isAtEndOf(bytes) && addToRowsBefore(bytes)) {
        return true;
      }
      byte[] other = dumps.isEmpty() ? null : dumps.getFirst().otherOrder();
      boolean same = other != null && other.length == bytes.length;
      add(new Dump(plainFrom, "hexadecimal", bytes, same ? other : null, null, List.of()));
      return true;
    } catch (IllegalArgumentException e) {
      refuse(e.getMessage());
      return false;
    }
  }
}
