package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ProtectionDomain;

/** Compare-and-swaps, each from the value that the one before left to the next. */
final class CompareSwapFlow extends AtomicFlow {
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  CompareSwapFlow(
      PerfPlan plan, int number, Requester requester, ProtectionDomain domain, LocalWindow window) {
    super(plan, number, requester, domain, window);
  }

  @Override
  long before(int index) {
    return (first() + index) * SPREAD;
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    long word = wordAddress();
    long value = before(index);
    for (int i = index; i < index + count; i++) {
      long next = value + SPREAD;
      end(
          requester.reliable().compareAndSwap(word, rkey(), value, next).scatter(slot(i), lkey()),
          i);
      value = next;
    }
  }
}
