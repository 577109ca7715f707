package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ProtectionDomain;

/**
 * Masked compare-and-swaps of the lower half of the word, each from the value that the one before
 * left to the next. The operands' upper halves are wrong, so that a mask which is ignored shows.
 */
final class MaskedCompareSwapFlow extends AtomicFlow {
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final long LOWER = 0xffff_ffffL;
  private static final long UPPER = 0x1234_5678L << 32;

  MaskedCompareSwapFlow(
      PerfPlan plan, int number, Requester requester, ProtectionDomain domain, LocalWindow window) {
    super(plan, number, requester, domain, window);
  }

  @Override
  long before(int index) {
    return UPPER | (first() + index) * SPREAD >>> 32;
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    long word = wordAddress();
    for (int i = index; i < index + count; i++) {
      end(
          requester
              .reliable()
              .maskedCompareAndSwap8(
                  word, rkey(), ~UPPER & before(i), ~UPPER & before(i + 1), LOWER, LOWER)
              .scatter(slot(i), lkey()),
          i);
    }
  }
}
