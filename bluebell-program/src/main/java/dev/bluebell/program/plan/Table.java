package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.ArrayList;
import java.util.List;

/**
 * A table in memory with the numbers of entries, little-endian, and the bytes that a lap changes.
 * Masked fetch-and-adds advance all numbers of a word; READs scatter the table over the entries,
 * byte by byte where the byte order differs.
 */
final class Table {
  private final Area sink;
  private final List<Cell> cells = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Restored> restored = new ArrayList<>();
  private int bytes;

  /** A number, and its offset in the table. */
  private record Cell(Count count, int at) {}

  /** A piece of the table, and its destination. */
  private record Piece(int at, Span to) {}

  /**
   * @param sink memory for discarded bytes
   */
  Table(Area sink) {
    this.sink = sink;
  }

  // ---- content; numbers first

  /** Adds a number that is scattered to its entry. */
  void add(Count count) {
    int at = keep(count);
    for (int i = 0; i < count.bytes(); i++) {
      pieces.add(new Piece(at + i, count.part(i)));
    }
  }

  /** Adds a number that stays in the table; returns its offset there. */
  int keep(Count count) {
    // A number does not cross words.
    int at = bytes % Long.BYTES + count.bytes() > Long.BYTES ? bytes + 7 & ~7 : bytes;
    cells.add(new Cell(count, at));
    bytes = at + count.bytes();
    return at;
  }

  /** Number of pieces to scatter. */
  int pieces() {
    return pieces.size();
  }

  /** Adds bytes that must be restored before a lap; all numbers must have been added. */
  void add(Restored each) {
    pieces.add(new Piece(restoredEnd(), each.place()));
    restored.add(each);
  }

  private int restoredEnd() {
    return bytes + restored.stream().mapToInt(each -> each.content().length).sum();
  }

  // ---- instructions and memory

  /** Memory of the table, with its initial content. */
  Area area() {
    Area area = Area.of("laps", new byte[restoredEnd() + 7 & ~7]);
    for (Cell cell : cells) {
      for (int i = 0; i < cell.count().bytes(); i++) {
        area.put(cell.at() + i, (byte) (cell.count().value() >>> i * Byte.SIZE));
      }
    }
    int at = bytes;
    for (Restored each : restored) {
      area.put(at, each.content());
      at += each.content().length;
    }
    return area;
  }

  /** Fetch-and-adds that advance all numbers. */
  List<Instruction> sums(Area area) {
    long[] steps = new long[bytes + 7 >> 3];
    long[] boundaries = new long[steps.length];
    for (Cell cell : cells) {
      int word = cell.at() / Long.BYTES;
      int shift = cell.at() % Long.BYTES * Byte.SIZE;
      int bits = cell.count().bytes() * Byte.SIZE;
      steps[word] |= (cell.count().step() & (1L << bits) - 1) << shift;
      boundaries[word] |= 1L << shift + bits - 1;
    }
    List<Instruction> sums = new ArrayList<>();
    for (int word = 0; word < steps.length; word++) {
      Span span = area.span(word * Long.BYTES, Long.BYTES);
      Instruction sum = Instruction.atomic(WqeOpcode.ATOMIC_MASKED_FA, span, sink, "count the lap");
      sum.orOperand(0, steps[word]);
      sum.orOperand(1, boundaries[word]);
      sums.add(sum);
    }
    return sums;
  }

  /** READs that scatter some of the pieces. */
  List<Instruction> reads(Area area, int first, int end, String comment) {
    List<Instruction> reads = new ArrayList<>();
    List<Span> scattered = new ArrayList<>();
    int from = 0;
    int at = 0;
    for (Piece piece : pieces.subList(first, end)) {
      // A gap may need a segment for itself.
      if (scattered.size() > Instruction.MAX_SCATTERS - 2) {
        reads.add(read(area.span(from, at - from), scattered, comment));
        scattered.clear();
      }
      if (scattered.isEmpty()) {
        from = piece.at();
        at = from;
      }
      if (at < piece.at()) {
        scattered.add(sink.span(0, piece.at() - at));
      }
      scattered.add(piece.to());
      at = piece.at() + piece.to().length();
    }
    if (!scattered.isEmpty()) {
      reads.add(read(area.span(from, at - from), scattered, comment));
    }
    return reads;
  }

  private Instruction read(Span from, List<Span> scattered, String comment) {
    Instruction read = Instruction.read(Address.of(from), comment);
    scattered.forEach(read::scatter);
    return read;
  }
}
