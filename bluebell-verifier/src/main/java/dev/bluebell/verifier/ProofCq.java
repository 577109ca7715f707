package dev.bluebell.verifier;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;

/** Completions of a completion queue on a path of a proof. */
final class ProofCq {
  /** Number of completions that are kept; older ones order nothing any more. */
  private static final int KEPT = 32;

  final int number;

  /** Number of completions so far. */
  long count;

  /** The chain of all of them; −1 when there were none. */
  int source = -1;

  /** True when a WAIT has used it. */
  boolean awaited;

  private final Deque<Clock> last = new ArrayDeque<>();

  /**
   * @param number position among those of the image
   */
  ProofCq(int number) {
    this.number = number;
  }

  ProofCq copy() {
    ProofCq copy = new ProofCq(number);
    copy.count = count;
    copy.source = source;
    copy.awaited = awaited;
    copy.last.addAll(last);
    return copy;
  }

  void add(Clock when) {
    count++;
    last.addLast(when);
    if (last.size() > KEPT) {
      last.removeFirst();
    }
  }

  /** Forgets the oldest clocks, while they order nothing. */
  void forget(Predicate<Clock> saysNothing) {
    while (!last.isEmpty() && saysNothing.test(last.getFirst())) {
      last.removeFirst();
    }
  }

  /** Clock of an existing completion, by its number. */
  Clock when(long number, Clock start) {
    long back = count - 1 - number;
    Iterator<Clock> clocks = last.descendingIterator();
    for (long i = 0; clocks.hasNext(); i++) {
      Clock clock = clocks.next();
      if (i == back) {
        return clock;
      }
    }
    return start;
  }

  Iterable<Clock> clocks() {
    return last;
  }
}
