package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ProtectionDomain;

/** Fetch-and-adds of a number that grows by one from message to message. */
final class FetchAddFlow extends AtomicFlow {
  FetchAddFlow(
      PerfPlan plan, int number, Requester requester, ProtectionDomain domain, LocalWindow window) {
    super(plan, number, requester, domain, window);
  }

  /** The sum of what was added: first + 1, first + 2, … */
  @Override
  long before(int index) {
    return index * first() + (long) index * (index + 1) / 2;
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    long word = wordAddress();
    for (int i = index; i < index + count; i++) {
      end(
          requester.reliable().fetchAndAdd(word, rkey(), first() + i + 1).scatter(slot(i), lkey()),
          i);
    }
  }
}
