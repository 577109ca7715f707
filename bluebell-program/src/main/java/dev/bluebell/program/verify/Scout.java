package dev.bluebell.program.verify;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Goes one way through a program for some laps, to see what a proof is to be about: whether the
 * program counts on for ever, and which numbers in memory go on with it. It proves nothing.
 */
final class Scout {
  /** Laps of a ring after which two states are compared, and after which numbers are looked for. */
  private static final int COMPARED = 2;

  private static final int GENERAL = 3;
  private static final int ENOUGH = 6;

  private final Map<Integer, Integer> lapsOf = new HashMap<>();
  private final Map<Integer, int[]> memories = new HashMap<>();
  private final Map<Integer, Map<Integer, Long>> counts = new HashMap<>();
  private final Set<Integer> rounds = new HashSet<>();
  private int watched = -1;
  private boolean countsOn;

  /** True when the program goes round and round. */
  boolean goesRound() {
    return watched >= 0;
  }

  /** True when completions that a WAIT waits for grow more with each lap. */
  boolean countsOn() {
    return countsOn;
  }

  /** Queues whose rings began again more than once without a rest. */
  Set<Integer> rounds() {
    return rounds;
  }

  /** The ring of a queue begins again. False when enough was seen. */
  boolean lap(Path path, ProofQueue at) {
    if (at.laps > 1) {
      rounds.add(at.number);
    }
    int lap = lapsOf.merge(at.number, 1, Integer::sum);
    if (watched >= 0) {
      path.rebase();
      return at.number != watched || lap < ENOUGH;
    }
    if (lap == COMPARED) {
      memories.put(at.number, path.codes(0, path.memory.length));
      Map<Integer, Long> now = new HashMap<>();
      path.completions.forEach((cqn, cq) -> now.put(cqn, cq.count));
      counts.put(at.number, now);
    } else if (lap == GENERAL) {
      watched = at.number;
      int[] before = Objects.requireNonNull(memories.get(watched));
      path.numbers.compare(before, path.codes(0, path.memory.length));
      Map<Integer, Long> then = Objects.requireNonNull(counts.get(watched));
      path.completions.forEach(
          (cqn, cq) -> countsOn |= cq.awaited && cq.count > then.getOrDefault(cqn, 0L));
      path.rebase();
    }
    return true;
  }
}
