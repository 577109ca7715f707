package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A thread that finds nothing spins, and then sleeps longer and longer. */
class IdlenessTest {
  private static final long MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  private long now = 1;
  private final Idleness idleness = new Idleness(() -> now, 200 * MICRO, 500 * MICRO);

  /** The next time to sleep, and how long until then with looks of 0.1 µs. */
  private record Rest(long nanos, long spun) {}

  private Rest rest(boolean first, boolean crowded, boolean ringable) {
    long start = now;
    for (; ; ) {
      now += MICRO / 10;
      long sleep = idleness.next(first, crowded, ringable);
      if (sleep > 0) {
        Rest rest = new Rest(sleep, now - start);
        now += sleep;
        return rest;
      }
    }
  }

  @Test
  void withEnoughProcessorsAThreadSpinsAndThenSleepsLongerAndLonger() {
    Rest first = rest(false, false, true);
    assertThat(first.spun()).isBetween(200 * MICRO, 220 * MICRO);
    assertThat(first.nanos()).isEqualTo(20 * MICRO);
    for (long sleep : new long[] {40, 80, 160, 320, 500, 500}) {
      assertThat(rest(false, false, true).nanos()).isEqualTo(sleep * MICRO);
    }
    idleness.end();
    assertThat(rest(false, false, true).nanos()).isEqualTo(20 * MICRO);
  }

  @Test
  void onACrowdedMachineAThreadSpinsBriefly() {
    assertThat(rest(false, true, true).spun()).isBetween(5 * MICRO, 20 * MICRO);
  }

  @Test
  void aThreadWithPrecedenceNeverSpinsAndSleepsBrieflyAtFirst() {
    long start = now;
    while (now - start < 19_000 * MICRO) {
      Rest rest = rest(true, true, true);
      assertThat(rest.nanos()).isEqualTo(20 * MICRO);
      assertThat(rest.spun()).isLessThan(2 * MICRO);
    }
    now += 2_000 * MICRO;
    assertThat(rest(true, true, true).nanos()).isEqualTo(40 * MICRO);
    assertThat(rest(true, true, true).nanos()).isEqualTo(80 * MICRO);
  }

  @Test
  void aDeviceThatCannotBeRungSleepsLong() {
    for (int i = 0; i < 20; i++) {
      rest(true, true, false);
    }
    assertThat(rest(true, true, false).nanos()).isEqualTo(SoftNicOptions.DEFAULT.maxSleepNanos());
  }
}
