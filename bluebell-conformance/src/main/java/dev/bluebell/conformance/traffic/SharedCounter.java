package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Eight bytes to which flows of all territories add, each with a key of its own domain. */
final class SharedCounter {
  private final MemorySegment memory = Arena.ofAuto().allocate(8, 8);
  private long expected;

  /** The counter's region in a domain, for queue pairs that lead to this domain. */
  MemoryRegion in(ProtectionDomain domain) {
    return domain.register(memory, Access.rights());
  }

  /** Records a posted addition. */
  void added(long value) {
    expected += value;
  }

  /** Expects the sum of all additions, once all are complete. */
  void compare() {
    long sum = memory.get(ValueLayout.JAVA_LONG, 0);
    if (sum != expected) {
      throw new AssertionError("%d was added, but the counter is %d".formatted(expected, sum));
    }
  }
}
