package dev.bluebell.cli.perf;

import dev.bluebell.verbs.ProtectionDomain;

/**
 * Additions of a number that grows by one from message to message to both halves of the word, the
 * lower of which overflows early: no carry may leave it.
 */
final class MaskedFetchAddFlow extends AtomicFlow {
  private static final long HALVES = 0x8000_0000_8000_0000L;
  private static final long LOWER = 0xffff_ffffL;
  private static final long LOWER_START = 0xffff_fff0L;

  MaskedFetchAddFlow(
      PerfPlan plan, int number, Requester requester, ProtectionDomain domain, LocalWindow window) {
    super(plan, number, requester, domain, window);
  }

  /** Both halves have the sum of what was added: first + 1, first + 2, … */
  @Override
  long before(int index) {
    long sum = index * first() + (long) index * (index + 1) / 2;
    return sum << 32 | sum + LOWER_START & LOWER;
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    long word = wordAddress();
    for (int i = index; i < index + count; i++) {
      long number = first() + i + 1 & LOWER;
      end(
          requester
              .reliable()
              .maskedFetchAndAdd8(word, rkey(), number << 32 | number, HALVES)
              .scatter(slot(i), lkey()),
          i);
    }
  }
}
