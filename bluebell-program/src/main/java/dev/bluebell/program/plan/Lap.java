package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What makes a program ready for its next call. A table in memory has the numbers of entries, the
 * least byte first, and the bytes that a call consumes. Masked fetch-and-adds take all numbers of a
 * word of the table on; READs scatter the table over the entries, byte by byte where the order is
 * to be turned.
 *
 * <p>What stands behind the last of these READs can't be written by it, since the device may have
 * fetched it: these entries get their numbers, the <em>early</em> ones, at the start of the lap
 * that they are used in. All other entries get those of the next lap at the end.
 */
final class Lap {
  /** Data segments that a READ has room for, behind control and remote address. */
  private static final int PIECES = ControlSegment.MAX_DS - 2;

  /** Entries of the receive queue that are posted, in the first lap. */
  private static final int POSTED = 1;

  private final List<Count> early;
  private final List<Count> late;
  private final Area table;
  private final List<Instruction> earlyReads;
  private final List<Instruction> sums = new ArrayList<>();
  private final List<Instruction> lateReads;
  private final Instruction post;

  /** A piece of the table, and where it goes. */
  private record Piece(int at, Span to) {}

  /**
   * A lap.
   *
   * @param late in the order in which the last READ may write them: what is fetched last is first
   * @param sink takes what nobody wants
   */
  Lap(List<Count> early, List<Count> late, List<Restored> restored, Area sink) {
    this.early = early;
    this.late = late;
    List<Integer> places = new ArrayList<>();
    int at = place(early, 0, places);
    int earlyEnd = at;
    int posted = fit(at, Short.BYTES);
    at = place(late, posted + Short.BYTES, places);
    int numbers = at;
    int bytes = at + restored.stream().mapToInt(each -> each.content().length).sum();
    table = Area.of("laps", new byte[bytes + 7 & ~7]);
    List<Count> all = new ArrayList<>(early);
    all.addAll(late);
    List<Piece> pieces = new ArrayList<>();
    long[] steps = new long[numbers + 7 >> 3];
    long[] boundaries = new long[steps.length];
    for (int i = 0; i < all.size(); i++) {
      number(all.get(i), places.get(i), pieces, steps, boundaries);
    }
    int boundary = pieces.stream().filter(piece -> piece.at() < earlyEnd).toList().size();
    Count messages = new Count(new Slot(Lane.CLIENT, 0), 0, Short.BYTES, POSTED, 1);
    number(messages, posted, new ArrayList<>(), steps, boundaries);
    for (Restored each : restored) {
      table.put(at, each.content());
      pieces.add(new Piece(at, each.place()));
      at += each.content().length;
    }
    for (int word = 0; word < steps.length; word++) {
      Span span = table.span(word * Long.BYTES, Long.BYTES);
      Instruction sum = Instruction.maskedFetchAdd(span, sink, "count the lap");
      sum.orOperand(0, steps[word]);
      sum.orOperand(1, boundaries[word]);
      sums.add(named(sum));
    }
    earlyReads = reads(pieces.subList(0, boundary), sink, "number the end of this lap");
    lateReads =
        reads(pieces.subList(boundary, pieces.size()), sink, "restore what the call changed")
            .reversed();
    List<Span> count = List.of(table.span(posted + 1, 1), table.span(posted, 1));
    post =
        named(Instruction.write(Address.of(ReceiveRecord.count()), count, "take the next message"));
  }

  private static int place(List<Count> counts, int from, List<Integer> places) {
    int at = from;
    for (Count count : counts) {
      at = fit(at, count.bytes());
      places.add(at);
      at += count.bytes();
    }
    return at;
  }

  /** No number lies in two words. */
  private static int fit(int at, int bytes) {
    return at % Long.BYTES + bytes > Long.BYTES ? at + 7 & ~7 : at;
  }

  private void number(Count count, int at, List<Piece> pieces, long[] steps, long[] boundaries) {
    int shift = at % Long.BYTES * Byte.SIZE;
    int word = at / Long.BYTES;
    steps[word] |= (long) count.step() << shift;
    boundaries[word] |= 1L << shift + count.bytes() * Byte.SIZE - 1;
    for (int i = 0; i < count.bytes(); i++) {
      table.put(at + i, (byte) (count.value() >>> i * Byte.SIZE));
      pieces.add(new Piece(at + i, count.part(i)));
    }
  }

  private List<Instruction> reads(List<Piece> pieces, Area sink, String comment) {
    List<Instruction> reads = new ArrayList<>();
    List<Span> scattered = new ArrayList<>();
    int from = 0;
    int at = 0;
    for (Piece piece : pieces) {
      // A gap may need a piece for itself.
      if (scattered.size() > PIECES - 2) {
        reads.add(read(from, at, scattered, comment));
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
      reads.add(read(from, at, scattered, comment));
    }
    return reads;
  }

  private Instruction read(int from, int to, List<Span> scattered, String comment) {
    Instruction read = Instruction.read(Address.of(table.span(from, to - from)), comment);
    scattered.forEach(read::scatter);
    return named(read);
  }

  private static Instruction named(Instruction instruction) {
    instruction.belongTo("the next call");
    return instruction;
  }

  /** True when another lap has the same numbers. */
  boolean isSameAs(Lap other) {
    return early.equals(other.early) && late.equals(other.late);
  }

  /** Memory that it needs. */
  Area table() {
    return table;
  }

  /** READs at the start. */
  List<Instruction> earlyReads() {
    return earlyReads;
  }

  /** Fetch-and-adds at the end, before the READs there. */
  List<Instruction> sums() {
    return sums;
  }

  /** READs at the end. */
  List<Instruction> lateReads() {
    return lateReads;
  }

  /** Posts the receive entry again, when all else is done. */
  Instruction post() {
    return post;
  }
}
