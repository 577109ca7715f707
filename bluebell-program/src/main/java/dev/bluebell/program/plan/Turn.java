package dev.bluebell.program.plan;

import java.util.List;

/**
 * Instructions that rearm one of a loop's two laps for its next turn, while the other lap is
 * executed: they scatter a {@link Table} over it and advance its numbers.
 */
final class Turn {
  private final List<Count> counts;
  private final Area table;
  private final List<Instruction> reads;
  private final List<Instruction> sums;

  /**
   * @param lane the loop's queue
   * @param counts the numbers of the lap, in the values of the first turn
   * @param restored bytes that the lap changes
   * @param sink memory for discarded bytes
   */
  Turn(Lane lane, List<Count> counts, List<Restored> restored, Area sink) {
    this.counts = counts;
    Table numbers = new Table(sink);
    counts.forEach(numbers::add);
    restored.forEach(numbers::add);
    table = numbers.area();
    reads = numbers.reads(table, 0, numbers.pieces(), "make the other lap ready");
    sums = numbers.sums(table);
    reads.forEach(read -> read.moveTo(lane));
    sums.forEach(sum -> sum.moveTo(lane));
  }

  /** True when another turn has the same numbers. */
  boolean isSameAs(Turn other) {
    return counts.equals(other.counts);
  }

  Area table() {
    return table;
  }

  /** READs of the table; the fetch-and-adds must follow them. */
  List<Instruction> reads() {
    return reads;
  }

  List<Instruction> sums() {
    return sums;
  }
}
