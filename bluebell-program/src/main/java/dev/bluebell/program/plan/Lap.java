package dev.bluebell.program.plan;

import java.util.List;

/**
 * What makes a program ready for its next call: a {@link Table} that is counted on and scattered.
 *
 * <p>What stands behind the last of its READs can't be written by it, since the device may have
 * fetched it: these entries get their numbers, the <em>early</em> ones, at the start of the lap
 * that they are used in. All other entries get those of the next lap at the end.
 */
final class Lap {
  private static final String CONSTRUCT = "the next call";

  /** Entries of the receive queue that are posted, in the first lap. */
  private static final int POSTED = 1;

  private final List<Count> early;
  private final List<Count> late;
  private final Area table;
  private final List<Instruction> earlyReads;
  private final List<Instruction> sums;
  private final List<Instruction> lateReads;
  private final Instruction post;

  /**
   * A lap.
   *
   * @param late in the order in which the last READ may write them: what is fetched last is first
   * @param sink takes what nobody wants
   */
  Lap(List<Count> early, List<Count> late, List<Restored> restored, Area sink) {
    this.early = early;
    this.late = late;
    Table numbers = new Table(sink, CONSTRUCT);
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
    post.belongTo(CONSTRUCT);
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
