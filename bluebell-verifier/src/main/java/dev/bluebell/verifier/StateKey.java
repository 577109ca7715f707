package dev.bluebell.verifier;

import dev.bluebell.verifier.Symbols.Digit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Key of a path's state: two paths with the same key continue in the same way. Clocks are compared
 * only with the accesses that still matter, so a loop returns to a key although its counts
 * increase.
 */
final class StateKey {
  /** Prefix of a digit; no byte has this character. */
  private static final char DIGIT = '\uffff';

  private final Path path;
  private final StringBuilder key = new StringBuilder();
  private final Map<Integer, Integer> symbols = new HashMap<>();
  private final Map<Integer, int[]> ends = new TreeMap<>();

  private StateKey(Path path) {
    this.path = path;
  }

  /** The key of a path. Accesses that no longer matter are forgotten. */
  static String of(Path path) {
    path.symbols.forgetAnswers();
    path.log.forget(frontier(path));
    return new StateKey(path).make();
  }

  /** The key of a path, without the contents of memory. */
  static String ofAllButMemory(Path path) {
    path.log.forget(frontier(path));
    StateKey state = new StateKey(path);
    state.rank();
    return state.queues();
  }

  /**
   * Clocks that precede everything that has not begun. A message comes after the posting of its
   * receive entry, whatever its client knows.
   */
  private static List<Clock> frontier(Path path) {
    List<Clock> frontier = new ArrayList<>();
    for (ProofQueue each : path.queues) {
      if (each.head < each.limit()) {
        frontier.add(each.begun);
      }
      each.limits.forEach(limit -> frontier.add(limit.since()));
      each.receiveLimits.forEach(limit -> frontier.add(limit.since()));
    }
    return frontier;
  }

  private String make() {
    rank();
    for (int code : path.memory) {
      code(code);
    }
    return queues();
  }

  private void rank() {
    Map<Integer, TreeSet<Integer>> sorted = new TreeMap<>();
    path.log.forEach(
        access ->
            sorted
                .computeIfAbsent(access.span().chain(), unused -> new TreeSet<>())
                .add(access.span().end()));
    for (ProofQueue each : path.queues) {
      if (each.enabler != null) {
        sorted
            .computeIfAbsent(each.enabler.chain(), unused -> new TreeSet<>())
            .add(each.enabler.end());
      }
    }
    sorted.forEach(
        (chain, set) -> ends.put(chain, set.stream().mapToInt(Integer::intValue).toArray()));
  }

  private String queues() {
    key.append(path.isGeneral ? 'g' : ' ');
    for (ProofQueue each : path.queues) {
      key.append('|').append(each.head & 0xffff).append(',').append(each.taken & 0xffff);
      each.limits.forEach(limit -> limit(limit, each.head));
      key.append('r');
      each.receiveLimits.forEach(limit -> limit(limit, each.taken));
      key.append('f');
      each.finished.stream()
          .filter(limit -> !each.begun.covers(limit.since()))
          .forEach(limit -> limit(limit, each.head));
      key.append('a');
      each.fetched.stream()
          .filter(limit -> !each.begun.covers(limit.since()))
          .forEach(limit -> limit(limit, each.fetches));
      clock(each.begun);
      clock(each.written);
      clock(each.answered);
      clock(each.complete);
      clock(each.received);
      clock(each.fenced);
      clock(each.transposed);
      clock(each.keyed);
      key.append('s').append(each.sender == null ? 0 : each.sender.qpn());
      key.append(each.enabler == null ? 'n' : 'e');
      if (each.enabler != null) {
        span(each.enabler);
      }
    }
    // Once a flag is written, any later write of its data comes too late.
    key.append('p').append(path.writtenFlags());
    path.completions.forEach(
        (cqn, cq) -> {
          key.append('c').append(cq.count & 0xffffff).append(',').append(cq.source);
          key.append(cq.awaited ? 'w' : ' ');
          cq.forget(this::saysNothing);
          cq.clocks().forEach(this::clock);
        });
    key.append('@').append(path.client);
    for (ProofClient client : path.clients) {
      clock(client.knows);
      client.notices.forEach(this::clock);
      key.append('w');
      client.writes.forEach(this::clock);
    }
    path.log.forEach(
        access -> {
          key.append(access.kind())
              .append(access.from())
              .append('-')
              .append(access.to())
              .append(':');
          span(access.span());
        });
    return key.append(path.log.unsettled()).toString();
  }

  private void span(Span span) {
    key.append(span.chain()).append('.').append(rank(span.chain(), span.end()));
  }

  private void limit(Limit limit, long base) {
    key.append(',').append(limit.index() - base);
    clock(limit.since());
  }

  // Symbols are numbered in the order of their first use.
  private void code(int code) {
    int meaning = path.symbols.resolve(code);
    Digit digit = path.symbols.digit(meaning);
    if (digit != null) {
      key.append(DIGIT).append(digit);
      return;
    }
    int shown =
        Symbols.isKnown(meaning)
            ? meaning
            : symbols.computeIfAbsent(meaning, unused -> 256 + symbols.size());
    key.append((char) shown);
  }

  private void clock(Clock clock) {
    key.append('<');
    ends.forEach((chain, unused) -> key.append(rank(chain, clock.count(chain))).append(' '));
  }

  private boolean saysNothing(Clock clock) {
    for (Map.Entry<Integer, int[]> each : ends.entrySet()) {
      if (rank(each.getKey(), clock.count(each.getKey())) > 0) {
        return false;
      }
    }
    return true;
  }

  private int rank(int chain, int count) {
    int[] positions = ends.get(chain);
    if (positions == null) {
      return 0;
    }
    int found = Arrays.binarySearch(positions, count);
    return found < 0 ? -found - 1 : found + 1;
  }
}
