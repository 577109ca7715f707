package dev.bluebell.uverbs.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.uverbs.session.ClockPages.Reading;
import java.time.Instant;
import java.util.Iterator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The device's clock and the time of day are read at the same time, even on a busy machine. */
class ClockPagesTest {
  private static final long SECOND = 1_000_000_000;

  /** Reads with the given clock, and a time of day that advances by one second per read. */
  private static Reading read(LongStream clock) {
    Iterator<Long> cycles = clock.iterator();
    Iterator<Long> seconds = LongStream.iterate(100, second -> second + 1).iterator();
    return ClockPages.read(cycles::next, () -> Instant.ofEpochSecond(seconds.next()));
  }

  @Test
  void clocksThatWereReadApartAreReadAgain() {
    assertThat(read(LongStream.of(0, SECOND, 2 * SECOND, 2 * SECOND + 200)))
        .isEqualTo(new Reading(2 * SECOND + 100, 101 * SECOND));
  }

  @Test
  void theClosestReadingIsUsedIfAllAreTooFarApart() {
    LongStream apart =
        LongStream.range(0, 10)
            .flatMap(i -> LongStream.of(i * SECOND, i * SECOND + (i == 7 ? 20_000 : 50_000)));
    assertThat(read(apart)).isEqualTo(new Reading(7 * SECOND + 10_000, 107 * SECOND));
  }
}
