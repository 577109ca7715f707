package dev.bluebell.program.plan;

import java.util.List;

/** Hazards between two instructions, of which the first precedes the second. */
final class Hazards {
  private Hazards() {}

  /** True when the first writes bytes of the second, which must then be fetched later. */
  static boolean edits(Instruction first, Instruction second) {
    return hits(first.remoteWrites(), second) || hits(first.scatters(), second);
  }

  private static boolean hits(List<Span> writes, Block target) {
    for (int i = 0; i < writes.size(); i++) {
      if (writes.get(i).block().equals(target)) {
        return true;
      }
    }
    return false;
  }

  /** True when they conflict and are in queues that do not order them. */
  static boolean crosses(Instruction first, Instruction second) {
    return first.lane() != second.lane() && conflict(first, second);
  }

  /** True when the first opens or closes a gate. */
  static boolean turns(Instruction first, Gate gate) {
    return hits(first.scatters(), gate) || hits(first.remoteWrites(), gate);
  }

  /** True when one writes bytes that the other reads or writes. */
  static boolean conflict(Instruction first, Instruction second) {
    return writesMeet(first, second, true) || writesMeet(second, first, false);
  }

  private static boolean writesMeet(Instruction writer, Instruction other, boolean writesToo) {
    return meet(writer.remoteWrites(), other, writesToo)
        || meet(writer.scatters(), other, writesToo);
  }

  private static boolean meet(List<Span> writes, Instruction other, boolean writesToo) {
    return meet(writes, other.gathers())
        || meet(writes, other.remoteReads())
        || writesToo && (meet(writes, other.remoteWrites()) || meet(writes, other.scatters()));
  }

  /**
   * True when the second, later in the same queue, may be executed only after the first is
   * complete. Otherwise, the order in which the responder executes them is enough.
   */
  static boolean needsCompletion(Instruction first, Instruction second) {
    // Bytes that the second reads when it is executed, or that the first's response scatters late.
    if (meet(first.remoteWrites(), second.gathers()) || meet(first.scatters(), second, true)) {
      return true;
    }
    // A WRITE may overtake READs and atomics.
    return !second.isAnswered()
        && (meet(first.remoteReads(), second.remoteWrites())
            || first.isAtomic() && meet(first.remoteWrites(), second.remoteWrites()));
  }

  // Every instruction is compared with every other, so this creates no iterators.
  private static boolean meet(List<Span> some, List<Span> others) {
    for (int i = 0; i < some.size(); i++) {
      Span one = some.get(i);
      for (int j = 0; j < others.size(); j++) {
        if (one.meets(others.get(j))) {
          return true;
        }
      }
    }
    return false;
  }
}
