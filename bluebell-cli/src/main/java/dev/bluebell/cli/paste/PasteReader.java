package dev.bluebell.cli.paste;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.hca.text.Hex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds dumps and failure reports in pasted text. */
public final class PasteReader {
  private static final int MAX_CHARACTERS = 1 << 24;
  private static final int MAX_LINE = 1 << 21;
  private static final int MAX_BYTES = 1 << 24;

  /** Lines that report a failure are shorter than this. */
  private static final int LONGEST_REPORT = 4096;

  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  private final List<Piece> pieces = new ArrayList<>();
  private final List<Integer> leftOut = new ArrayList<>();

  private @Nullable Headline headline;
  private List<Row> rows = new ArrayList<>();
  private int rowBytes;
  private long dumpedBytes;
  private List<Integer> stars = new ArrayList<>();
  private @Nullable String end;

  /** Lines since the last blank line, while they may consist of digits and separators only. */
  private final List<String> plain = new ArrayList<>();

  private int plainFrom;
  private @Nullable IllegalArgumentException firstRefusal;

  private PasteReader() {}

  /**
   * The contents of a pasted text.
   *
   * @param pieces in the order of the text
   * @param leftOut numbers of all other lines, from 1
   */
  public record Paste(List<Piece> pieces, List<Integer> leftOut) {
    /** Makes the lists unmodifiable. */
    public Paste {
      pieces = List.copyOf(pieces);
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * Reads text.
   *
   * @throws IllegalArgumentException when the text contains none of these, or when a dump has gaps
   */
  public static Paste read(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "this text has more than %d characters: give the part with the dump"
              .formatted(MAX_CHARACTERS));
    }
    PasteReader reader = new PasteReader();
    String[] lines = LINE_BREAK.split(text, -1);
    for (int i = 0; i < lines.length; i++) {
      reader.line(i + 1, lines[i]);
    }
    reader.endBlock();
    if (reader.pieces.isEmpty() && reader.firstRefusal instanceof IllegalArgumentException why) {
      throw new IllegalArgumentException(
          "this has neither bytes (%s) nor an error line that decode knows; docs/failures/README.md lists failures by status and by symptom"
              .formatted(why.getMessage()),
          why);
    }
    return new Paste(reader.pieces, reader.leftOut);
  }

  private void line(int number, String line) {
    if (line.length() > MAX_LINE) {
      throw new IllegalArgumentException(
          "line %d has more than %d characters".formatted(number, MAX_LINE));
    }
    if (line.isBlank()) {
      endBlock();
      return;
    }
    if (plain.isEmpty()) {
      plainFrom = number;
    }
    plain.add(line);
    String body = LogPrefix.strip(line);
    Optional<Headline> says = Headline.in(line);
    Optional<Row> row = RowParser.parse(number, body);
    if (says.isPresent() && says.get() != headline && row.isEmpty()) {
      endDump();
      headline = says.get();
    }
    if (row.isPresent() && !isEnd(body)) {
      says.ifPresent(told -> headline = told);
      add(row.get());
    } else if (body.equals("*") && !rows.isEmpty()) {
      stars.add(number);
    } else if (isEnd(body)) {
      end = body;
      endDump();
    } else {
      other(number, line, says.isPresent());
    }
  }

  private void add(Row row) {
    if (!rows.isEmpty() && (rows.getFirst().address() == null) != (row.address() == null)) {
      Headline told = headline;
      endDump();
      headline = told;
    }
    rows.add(row);
    rowBytes += row.size(Row.Digits.BYTES);
    boolean whole = rowBytes == Cqe.BYTES;
    if (whole && headline != null && headline.kind() == Kind.CQE) {
      endDump();
    }
  }

  /** True for the last address of a dump, on a line of its own, as od and hexdump print it. */
  private boolean isEnd(String body) {
    return !rows.isEmpty() && rows.getLast().style() == Row.Style.BARE && RowParser.isEnd(body);
  }

  /** Log lines may appear between the lines of a dump that has addresses. */
  private void other(int number, String line, boolean isHeadline) {
    if (!rows.isEmpty() && rows.getLast().address() == null && !isDigits(line)) {
      endDump();
    }
    List<Piece> found =
        line.length() > LONGEST_REPORT
            ? List.of()
            : Stream.of(
                    Report.in(number, line),
                    FailedRequest.in(number, line),
                    CommandRefusal.in(number, line),
                    Notice.in(number, line))
                .<Piece>flatMap(Optional::stream)
                .toList();
    pieces.addAll(found);
    if (found.isEmpty() && !isHeadline) {
      leftOut.add(number);
    }
  }

  private static boolean isDigits(String line) {
    try {
      return Hex.parse(line).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void add(Dump dump) {
    dumpedBytes += dump.bytes().length;
    if (dumpedBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "the dumps in this text have more than %d bytes: give the part that matters"
              .formatted(MAX_BYTES));
    }
    pieces.add(dump);
  }

  private void endDump() {
    if (!rows.isEmpty()) {
      new DumpBuilder(headline, rows, stars, end).build().forEach(this::add);
      plain.clear();
    }
    headline = null;
    rows = new ArrayList<>();
    rowBytes = 0;
    stars = new ArrayList<>();
    end = null;
  }

  /** Called at a blank line, and at the end. */
  private void endBlock() {
    boolean digitsOnly = headline == null && rows.stream().allMatch(row -> row.address() == null);
    if (digitsOnly && !plain.isEmpty() && addPlain()) {
      rows.clear();
    }
    endDump();
    plain.clear();
  }

  /**
   * Tries to read a block as digits with any separators.
   *
   * @return false when it is a dump with an address column after all, or has no digits
   */
  private boolean addPlain() {
    if (rows.size() > 1) {
      List<Dump> dumps = new DumpBuilder(null, rows, stars, null).build();
      if (!dumps.getFirst().guesses().isEmpty()) {
        return false;
      }
    }
    try {
      byte[] bytes = Hex.parse(String.join("\n", plain));
      while (!leftOut.isEmpty() && leftOut.getLast() >= plainFrom) {
        leftOut.removeLast();
      }
      byte[] other =
          rows.isEmpty()
              ? null
              : new DumpBuilder(null, rows, stars, null).build().getFirst().otherOrder();
      boolean same = other != null && other.length == bytes.length;
      add(new Dump(plainFrom, "hexadecimal", bytes, same ? other : null, null, List.of()));
      return true;
    } catch (IllegalArgumentException e) {
      if (firstRefusal == null) {
        firstRefusal = e;
      }
      return false;
    }
  }
}
