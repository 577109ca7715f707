package dev.bluebell.program.plan;

import java.util.List;

/**
 * Instructions that rearm a program for its next call: they advance the numbers in a {@link Table}
 * and scatter it.
 *
 * <p>The device may already have fetched the entries behind the last of these READs, so the READs
 * cannot write them: these entries receive their numbers, the <em>early</em> ones, at the start of
 * the lap that uses them. All other entries receive those of the next lap at the end of a lap.
 */
final class Lap {
  /** Number of posted receive entries in the first lap. */
  private static final int POSTED = 1;

  private final List<Count> early;
  private final List<Count> late;
  private final Area table;
  private final List<Instruction> earlyReads;
  private final List<Instruction> sums;
  private final List<Instruction> lateReads;
  private final Instruction post;

  /**
   * @param late numbers in the order in which the last READ may write them, starting with the entry
   *     that is fetched last
   * @param sink memory for discarded bytes
   */
  Lap(List<Count> early, List<Count> late, List<Restored> restored, Area sink) {
    this.early = early;
    this.late = late;
    Table numbers = new Table(sink);
    early.forEach(numbers::add);
    int boundary = numbers.pieces();
    int posted = numbers.keep(new Count(new Slot(Lane.CLIENT, 0), 0, Short.BYTES, POSTED, 1));
    late.forEach(numbers::add);
    restored.forEach(numbers::add);
    table = numbers.area();
    sums = numbers.sums(table);
    earlyReads = numbers.reads(table, 0, boundary, "number the end of this lap");
    lateReads =
        numbers
            .reads(table, boundary, numbers.pieces(), "restore what the call changed")
            .reversed();
    List<Span> count = List.of(table.span(posted + 1, 1), table.span(posted, 1));
    post = Instruction.write(Address.of(ReceiveRecord.count()), count, "take the next message");
  }

  /** True when another lap has the same numbers. */
  boolean isSameAs(Lap other) {
    return early.equals(other.early) && late.equals(other.late);
  }

  Area table() {
    return table;
  }

  /** READs at the start of the lap. */
  List<Instruction> earlyReads() {
    return earlyReads;
  }

  /** Fetch-and-adds at the end of the lap, before its READs. */
  List<Instruction> sums() {
    return sums;
  }

  /** READs at the end of the lap. */
  List<Instruction> lateReads() {
    return lateReads;
  }

  /** Reposts the receive entry, when everything else is done. */
  Instruction post() {
    return post;
  }
}
