package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import java.util.Arrays;
import java.util.List;

/** Finds the flow of a received message by the number in its completion. */
final class Receivers {
  private final int base;
  private final int[] flows;

  /**
   * Makes a table.
   *
   * @param ends that receive, by flow number
   */
  Receivers(List<End> ends) {
    base = ends.stream().mapToInt(End::number).min().orElse(0);
    int last = ends.stream().mapToInt(End::number).max().orElse(0);
    flows = new int[last - base + 1];
    Arrays.fill(flows, -1);
    for (int i = 0; i < ends.size(); i++) {
      flows[ends.get(i).number() - base] = i;
    }
  }

  /** Number of the flow. */
  int flow(Completion received) {
    return flows[received.queuePairNumber() - base];
  }
}
