package dev.bluebell.verifier;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;

/** Completions of a completion queue on a path of a proof. */
final class ProofCq {
  /** Number of completions that are kept; older ones order nothing any more. */
  private static final int KEPT = 32;

  private static final int NO_CHAIN = -1;
  private static final int SEVERAL_CHAINS = -2;

  final int number;

  /** Number of completions so far. */
  long count;

  /** The only chain that has completed here; negative when there is none or are several. */
  int source = NO_CHAIN;

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

  /** True when completions come from several chains, so their order is not determined. */
  boolean isMixed() {
    return source == SEVERAL_CHAINS;
  }

  /**
   * @param chain of the events that the completion reports
   */
  void add(int chain, Clock when) {
    if (source != chain) {
      source = source == NO_CHAIN ? chain : SEVERAL_CHAINS;
    }
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
