package dev.bluebell.cli.paste;

import dev.bluebell.cli.paste.Row.Digits;
import dev.bluebell.cli.paste.Row.Style;
import dev.bluebell.hca.cqe.Cqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Assembles rows into one or more dumps. */
final class DumpBuilder {
  /** The size limit, far above that of any queue entry or command. */
  static final int MAX_BYTES = 1 << 20;

  private static final String TOO_LONG = "this dump has more than %d bytes".formatted(MAX_BYTES);

  private static final int OCTAL_ADDRESS_DIGITS = 7;

  private final @Nullable Headline headline;
  private final List<Row> rows;

  /** Numbers of the rows that follow a {@code *}, which stands for repeated rows; 0 at the end. */
  private final Set<Integer> afterStars = new TreeSet<>();

  private final @Nullable String end;
  private final List<String> guesses = new ArrayList<>();
  private long repeatedBytes;

  /**
   * @param rows in order
   * @param stars line numbers of {@code *} lines, which repeat the row before
   * @param end the address after the last row; null if unknown
   */
  DumpBuilder(
      @Nullable Headline headline, List<Row> rows, List<Integer> stars, @Nullable String end) {
    this.headline = headline;
    this.rows = new ArrayList<>(rows);
    this.end = end;
    NavigableSet<Integer> numbers = new TreeSet<>();
    rows.forEach(row -> numbers.add(row.number()));
    for (int star : stars) {
      Integer next = numbers.higher(star);
      afterStars.add(next == null ? 0 : next);
    }
  }

  /** The dump from a line on, if it is above the size limit. */
  static Unread tooLong(int line) {
    return new Unread(line, TOO_LONG);
  }

  /**
   * The dumps that the rows form. Rows that do not fit together make no dump, except below a
   * headline: the last row of each completion says enough without the others.
   */
  List<Piece> pieces() {
    List<Dump> dumps = List.of();
    List<Piece> pieces = new ArrayList<>();
    try {
      dumps = build().stream().flatMap(this::completions).toList();
      pieces.addAll(dumps);
    } catch (IllegalArgumentException e) {
      pieces.add(new Unread(rows.getFirst().number(), String.valueOf(e.getMessage())));
    }
    if (headline == null || !headline.isCompletion()) {
      return pieces;
    }
    boolean whole = dumps.stream().allMatch(dump -> CqeEnd.isAtEachEndOf(dump.bytes()));
    boolean cut = dumps.size() == 1 && CqeEnd.completed(dumps.getFirst().bytes()).isPresent();
    List<Dump> ends = ends();
    boolean mixed = dumps.isEmpty() || !whole && (!cut || ends.size() > 1);
    return mixed && !ends.isEmpty() ? List.copyOf(ends) : pieces;
  }

  /** The completions in a dump of several, in the order of their rows. */
  private Stream<Dump> completions(Dump dump) {
    byte[] bytes = dump.bytes();
    boolean several = headline != null && bytes.length > Cqe.BYTES;
    if (!several || rows.getFirst().address() != null || !CqeEnd.isAtEachEndOf(bytes)) {
      return Stream.of(dump);
    }
    List<Dump> each = new ArrayList<>();
    int end = 0;
    for (Row row : rows) {
      end += row.size(Digits.BYTES);
      for (int at = each.size() * Cqe.BYTES; at < end; at += Cqe.BYTES) {
        each.add(
            new Dump(
                row.number(),
                dump.form(),
                Arrays.copyOfRange(bytes, at, at + Cqe.BYTES),
                null,
                headline,
                dump.guesses()));
      }
    }
    return each.stream();
  }

  /** The ends of completions among the rows. */
  private List<Dump> ends() {
    return rows.stream()
        .filter(row -> row.width() % 2 == 0)
        .map(
            row ->
                new Dump(
                    row.number(),
                    form(),
                    bytes(List.of(row), Digits.BYTES),
                    null,
                    headline,
                    List.of(
                        "the rows above cannot be joined with this one: rows are missing, or those"
                            + " of several completions are mixed")))
        .filter(dump -> dump.bytes().length == CqeEnd.BYTES && CqeEnd.isAtEndOf(dump.bytes()))
        .toList();
  }

  /** The dumps that the rows form. */
  List<Dump> build() {
    findAddresses();
    Digits digits = digits();
    Digits other = other(digits);
    List<Dump> dumps = new ArrayList<>();
    for (List<Row> part : parts(digits)) {
      dumps.add(
          new Dump(
              part.getFirst().number(),
              form(),
              bytes(part, digits),
              other == null ? null : bytes(part, other),
              headline,
              guesses));
    }
    return dumps;
  }

  /** Takes the first of equally wide columns as addresses if it counts the bytes of the others. */
  private void findAddresses() {
    if (rows.size() < 2 || rows.stream().anyMatch(row -> row.style() != Style.NONE)) {
      return;
    }
    if (rows.stream().anyMatch(row -> row.groups().size() < 2)) {
      return;
    }
    List<Row> addressed = rows.stream().map(Row::withFirstAsAddress).toList();
    if (counts(addressed)) {
      rows.clear();
      rows.addAll(addressed);
      guesses.add("the first column counts the bytes, so it is read as addresses");
    }
  }

  private static boolean counts(List<Row> addressed) {
    for (int i = 1; i < addressed.size(); i++) {
      Row last = addressed.get(i - 1);
      if (at(addressed.get(i), 16) - at(last, 16) != last.size(Digits.BYTES)) {
        return false;
      }
    }
    return true;
  }

  private Digits digits() {
    Row first = rows.getFirst();
    int width = first.width();
    if (first.style() != Style.NONE && (width == 3 || width == 6)) {
      return Digits.OCTAL_WORDS;
    }
    if (rows.stream().anyMatch(row -> row.width() == 3 || row.width() == 6)) {
      throw new IllegalArgumentException("its groups differ in width from those of other lines");
    }
    if (width == 2 || headline != null) {
      return Digits.BYTES;
    }
    if (!fit(Digits.BYTES) && fit(Digits.HOST_WORDS)) {
      return Digits.HOST_WORDS;
    }
    boolean words = first.style() == Style.BARE || first.style() == Style.DEBUGGER;
    if (words && guesses.isEmpty() && isGroup(width)) {
      guesses.add(
          "groups of %d digits are read as integers of a little-endian host, as %s prints them"
              .formatted(width, first.style() == Style.BARE ? "od or hexdump" : "a debugger"));
      return Digits.HOST_WORDS;
    }
    return Digits.BYTES;
  }

  private static boolean isGroup(int width) {
    return width == 4 || width == 8 || width == 16;
  }

  private boolean fit(Digits digits) {
    return rows.stream().allMatch(row -> row.fits(digits));
  }

  /** The other byte order that is possible; null if there is only one. */
  private @Nullable Digits other(Digits digits) {
    boolean open =
        headline == null
            && isGroup(rows.getFirst().width())
            && rows.stream().allMatch(row -> row.characters().isEmpty());
    return switch (digits) {
      case BYTES -> open ? Digits.HOST_WORDS : null;
      case HOST_WORDS -> open ? Digits.BYTES : null;
      case OCTAL_WORDS -> null;
    };
  }

  private String form() {
    Row first = rows.getFirst();
    if (headline != null) {
      return headline.form();
    }
    return switch (first.style()) {
      case NONE -> "hexadecimal";
      case COLON -> first.width() == 4 ? "a dump like xxd's" : "a dump with addresses";
      case DEBUGGER -> "a dump like a debugger's";
      case BARE ->
          first.width() == 2
              ? "a dump like that of hexdump -C"
              : "a dump like that of od or hexdump";
    };
  }

  /** The rows of each dump: an address lower than the one before begins a new dump. */
  private List<List<Row>> parts(Digits digits) {
    if (rows.getFirst().style() == Style.NONE) {
      if (!afterStars.isEmpty()) {
        throw new IllegalArgumentException(
            "without addresses, the number of rows that a '*' stands for is unknown");
      }
      return List.of(rows);
    }
    int radix = radix(rows, digits);
    if (radix == 0) {
      throw new IllegalArgumentException(gap(digits));
    }
    List<List<Row>> parts = new ArrayList<>();
    List<Row> part = new ArrayList<>();
    Row last = null;
    for (Row row : rows) {
      if (last != null && at(row, radix) <= at(last, radix)) {
        parts.add(part);
        part = new ArrayList<>();
      } else if (last != null) {
        repeat(part, last, at(row, radix) - at(last, radix), digits);
      }
      part.add(row);
      last = row;
    }
    repeatToEnd(part, radix, digits);
    parts.add(part);
    return parts;
  }

  /** Repeats a row up to the next one; the row itself is already there. */
  private void repeat(List<Row> part, Row row, long distance, Digits digits) {
    long missing = distance - row.size(digits);
    repeatedBytes += missing;
    if (missing > MAX_BYTES || repeatedBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "the rows that a '*' stands for have more than %d bytes".formatted(MAX_BYTES));
    }
    for (long done = 0; done < missing; done += row.size(digits)) {
      part.add(row);
    }
  }

  private void repeatToEnd(List<Row> part, int radix, Digits digits) {
    if (!afterStars.contains(0)) {
      return;
    }
    Row last = part.getLast();
    OptionalLong behind =
        end == null
            ? OptionalLong.empty()
            : new Row(0, end, Style.BARE, List.of(), "", "").address(radix);
    long distance = behind.orElse(0) - at(last, radix);
    if (distance <= 0 || distance % last.size(digits) != 0) {
      throw new IllegalArgumentException(
          "without the address of the end, the number of rows that the '*' after it stands for is"
              + " unknown");
    }
    repeat(part, last, distance, digits);
  }

  private static long at(Row row, int radix) {
    return row.address(radix).orElse(0);
  }

  /** The radix in which the addresses count the bytes; 0 if there is none. */
  private int radix(List<Row> addressed, Digits digits) {
    Row first = addressed.getFirst();
    int[] radices = {16};
    if (first.style() == Style.BARE && first.address() instanceof String text) {
      radices = text.length() == OCTAL_ADDRESS_DIGITS ? new int[] {8, 16, 10} : new int[] {16, 10};
    }
    return Arrays.stream(radices)
        .filter(radix -> firstGap(addressed, digits, radix) == null)
        .findFirst()
        .orElse(0);
  }

  /** The first row whose address does not follow from the one before; null if all do. */
  private @Nullable Row firstGap(List<Row> addressed, Digits digits, int radix) {
    Row last = null;
    for (Row row : addressed) {
      OptionalLong address = row.address(radix);
      if (address.isEmpty() || address.getAsLong() < 0) {
        return row;
      }
      if (last != null) {
        long distance = address.getAsLong() - at(last, radix);
        int size = last.size(digits);
        boolean repeats = afterStars.contains(row.number());
        boolean follows = repeats ? distance > 0 && distance % size == 0 : distance == size;
        if (distance > 0 && !follows) {
          return row;
        }
      }
      last = row;
    }
    return null;
  }

  private String gap(Digits digits) {
    Row row = firstGap(rows, digits, 16);
    return row == null || row.address() == null
        ? "its address can't be read"
        : "the address %s in line %d does not follow from the lines before: a line is missing, too long or too short"
            .formatted(row.address(), row.number());
  }

  private static byte[] bytes(List<Row> part, Digits digits) {
    long size = part.stream().mapToLong(row -> row.size(digits)).sum();
    if (size > MAX_BYTES) {
      throw new IllegalArgumentException(TOO_LONG);
    }
    byte[] bytes = new byte[(int) size];
    int at = 0;
    for (Row row : part) {
      row.copy(digits, bytes, at);
      at += row.size(digits);
    }
    return bytes;
  }
}
