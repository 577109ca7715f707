package dev.bluebell.program.plan;

import java.util.List;

/**
 * What makes one of a loop's two laps ready for its next turn, while the other one is under way: a
 * {@link Table} that is scattered over it and counted on.
 */
final class Turn {
  private static final String CONSTRUCT = "the next lap";

  private final List<Count> counts;
  private final Area table;
  private final List<Instruction> reads;
  private final List<Instruction> sums;

  /**
   * A turn.
   *
   * @param lane the loop's queue
   * @param counts the numbers of the lap, as they are scattered for the first time
   * @param restored what the lap consumes
   * @param sink takes what nobody wants
   */
  Turn(Lane lane, List<Count> counts, List<Restored> restored, Area sink) {
    this.counts = counts;
    Table numbers = new Table(sink, CONSTRUCT);
    counts.forEach(numbers::add);
    restored.forEach(numbers::add);
    table = numbers.area();
    reads = numbers.reads(table, 0, numbers.pieces(), "make the other lap ready");
    sums = numbers.sums(table);
    reads.forEach(read -> read.moveTo(lane));
    sums.forEach(sum -> sum.moveTo(lane));
  }

  /** True when another one has the same numbers. */
  boolean isSameAs(Turn other) {
    return counts.equals(other.counts);
  }

  /** Memory that it needs. */
  Area table() {
    return table;
  }

  /** READs of the table; the sums are executed behind them. */
  List<Instruction> reads() {
    return reads;
  }

  /** Fetch-and-adds. */
  List<Instruction> sums() {
    return sums;
  }
}
