package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;

/**
 * Atomics on one word of the peer. Each returns what the one before left, into a slot of its own,
 * so one that is lost or wrong shows in its slot or in the next.
 */
abstract class AtomicFlow extends Flow {
  private final MemoryRegion word;
  private final LocalWindow window;
  private final int lkey;
  private final int rkey;
  private long first;

  AtomicFlow(
      PerfPlan plan, int number, Requester requester, ProtectionDomain domain, LocalWindow window) {
    super(plan, number, requester, null);
    this.window = window;
    word = domain.allocate(Long.BYTES, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
    lkey = window.region().lkey();
    rkey = word.rkey();
  }

  @Override
  final void begin(long firstSequence) {
    first = firstSequence;
    window.poison();
    word.segment().set(ValueLayout.JAVA_LONG, 0, before(0));
  }

  @Override
  final boolean isGood() {
    boolean good = word.segment().get(ValueLayout.JAVA_LONG, 0) == before(target());
    for (int i = 0; i < target(); i++) {
      good &= window.region().segment().get(ValueLayout.JAVA_LONG, window.offset(i)) == before(i);
    }
    return good;
  }

  @Override
  final boolean copy() {
    // Eight bytes that change in place are no copy.
    return false;
  }

  /** What the word holds before the round's atomic number {@code index}. */
  abstract long before(int index);

  final long first() {
    return first;
  }

  final long wordAddress() {
    return word.address();
  }

  final int rkey() {
    return rkey;
  }

  final long slot(int index) {
    return window.address(index);
  }

  final int lkey() {
    return lkey;
  }
}
