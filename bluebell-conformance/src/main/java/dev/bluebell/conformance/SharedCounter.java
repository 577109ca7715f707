package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Eight bytes to which many queue pairs add, each with a key of its own domain. */
final class SharedCounter {
  private final MemorySegment memory = Arena.ofAuto().allocate(8, 8);
  private long expected;

  /** The counter as queue pairs that lead to this end reach it. */
  Buffer at(End end) {
    return new Buffer(end.domain().register(memory, Access.rights()));
  }

  /** Notes an addition that was posted. */
  void added(long value) {
    expected += value;
  }

  /** Expects the sum of all additions, when all are complete. */
  void compare() {
    assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(expected);
  }
}
