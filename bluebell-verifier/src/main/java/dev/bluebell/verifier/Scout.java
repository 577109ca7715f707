package dev.bluebell.verifier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Executes a program for some laps with one choice of outcomes, to find out what to prove: whether
 * the program runs for ever, and which numbers in memory advance with it. It proves nothing. A
 * scout with another choice may reach what this one does not.
 */
final class Scout {
  /**
   * Number of laps of a ring after which two states are compared, and after which numbers are
   * searched for.
   */
  private static final int COMPARED = 2;

  private static final int GENERAL = 3;
  private static final int ENOUGH = 6;

  /** Maximum number of laps of all rings together. */
  private static final int MAX_LAPS = 100;

  // Conditions, by queue and entry: those that it has reached, and those that hold.
  private final Set<Long> met = new LinkedHashSet<>();
  private final Set<Long> holding;

  private final Map<Integer, Integer> lapsOf = new HashMap<>();
  private final Map<Integer, int[]> memories = new HashMap<>();
  private final Map<Integer, Map<Integer, Long>> counts = new HashMap<>();
  private final Set<Integer> rounds = new HashSet<>();
  private final Random random = new Random(1);
  private int laps;
  private boolean goesRound;
  private boolean countsOn;
  private boolean stops = true;

  /**
   * Creates a scout.
   *
   * @param holding conditions that hold, by queue and entry; others do not
   */
  Scout(Set<Long> holding) {
    this.holding = holding;
  }

  /** Choices for further scouts, each with one more condition that holds. */
  List<Set<Long>> otherWays() {
    List<Set<Long>> ways = new ArrayList<>();
    for (long condition : met) {
      Set<Long> way = new HashSet<>(holding);
      if (way.add(condition)) {
        ways.add(way);
      }
    }
    return ways;
  }

  private static long condition(ProofQueue at) {
    return (long) at.number << 32 | at.head % at.queue.send().slots();
  }

  /** True when a ring of the program wraps repeatedly. */
  boolean goesRound() {
    return goesRound;
  }

  /** True when completions that a WAIT waits for increase with each lap. */
  boolean countsOn() {
    return countsOn;
  }

  /** True when the path ended by itself, so the program may loop only for a while. */
  boolean stops() {
    return stops;
  }

  /** Queues whose rings wrapped more than once without a rest. */
  Set<Integer> rounds() {
    return rounds;
  }

  /** Outcome of the next condition of a queue: random once its ring was examined enough. */
  boolean way(ProofQueue at) {
    met.add(condition(at));
    return lapsOf.getOrDefault(at.number, 0) >= ENOUGH
        ? random.nextBoolean()
        : holding.contains(condition(at));
  }

  /** Queues whose rings wrapped often enough for a comparison. */
  Set<Integer> compared() {
    return lapsOf.entrySet().stream()
        .filter(each -> each.getValue() >= GENERAL)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Adds the results of another scout. */
  void join(Scout other) {
    goesRound |= other.goesRound;
    countsOn |= other.countsOn;
    stops &= other.stops;
    rounds.addAll(other.rounds);
  }

  /** Examines the start of a new lap of a queue's ring. False when it has examined enough laps. */
  boolean lap(Path path, ProofQueue at) {
    laps++;
    if (at.laps > 1) {
      rounds.add(at.number);
    }
    int lap = lapsOf.merge(at.number, 1, Integer::sum);
    if (lap == COMPARED) {
      memories.put(at.number, path.codes(0, path.memory.length));
      counts.put(at.number, completions(path));
    } else if (lap == GENERAL) {
      compare(path, at);
    }
    if (goesRound) {
      path.rebase();
      path.numbers.generalise(path);
    }
    stops = laps < MAX_LAPS && !isSeen(at.number);
    return stops;
  }

  /** True when enough calls were examined, and enough laps of each ring to compare it. */
  private boolean isSeen(int queue) {
    return lapsOf.getOrDefault(queue, 0) >= ENOUGH
        && !rounds.contains(queue)
        && lapsOf.values().stream().allMatch(each -> each >= GENERAL);
  }

  private void compare(Path path, ProofQueue at) {
    goesRound = true;
    int[] before = Objects.requireNonNull(memories.get(at.number));
    path.numbers.compare(before, path.codes(0, path.memory.length));
    Map<Integer, Long> then = Objects.requireNonNull(counts.get(at.number));
    completions(path)
        .forEach(
            (cqn, now) -> countsOn |= isAwaited(path, cqn) && now > then.getOrDefault(cqn, 0L));
  }

  private static boolean isAwaited(Path path, int cqn) {
    return Objects.requireNonNull(path.completions.get(cqn)).awaited;
  }

  private static Map<Integer, Long> completions(Path path) {
    Map<Integer, Long> completions = new HashMap<>();
    path.completions.forEach(
        (cqn, cq) -> completions.put(cqn, path.bases[path.counters.completions(cq)] + cq.count));
    return completions;
  }
}
