package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.conformance.traffic.Traffic;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random requests on a thousand queue pairs of all kinds at once, compared with a model in plain
 * Java. The system property {@value #REQUESTS} sets the number of requests, and {@value #SEED}
 * repeats a run.
 */
@Conformance
@Needs({"uc", "ud", "xrc", "dct"})
@Tag(TrafficTest.TAG)
public class TrafficTest {
  /** Tag of tests with tens of thousands of requests, which take longer than others. */
  public static final String TAG = "traffic";

  private static final String REQUESTS = "bluebell.traffic.requests";
  private static final String SEED = "bluebell.traffic.seed";
  private static final int DEFAULT_REQUESTS = 20_000;
  private static final int REQUESTS_PER_ROUND = 20_000;

  @Test
  void aThousandQueuePairsOfAllKindsDoWhatTheModelSays(Bench bench, TestReporter reporter) {
    int count = Integer.getInteger(REQUESTS, DEFAULT_REQUESTS);
    long seed = Long.getLong(SEED, new Random().nextInt(Integer.MAX_VALUE));
    long start = System.nanoTime();
    Traffic traffic =
        Traffic.ofAllKinds(
            bench.device(), seed, bench.loses(), bench.has("log_max_dci_errored_streams"));
    try {
      while (traffic.requests() < count) {
        round(bench, traffic, (int) Math.min(REQUESTS_PER_ROUND, count - traffic.requests()));
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("-D%s=%d repeats it: %s".formatted(SEED, seed, e.getMessage()), e);
    }
    assertThat(traffic.queuePairs()).isGreaterThan(900);
    assertThat(traffic.unreliableArrivals())
        .as("arrived messages of unreliable services")
        .isPositive();
    reporter.publishEntry(
        "traffic",
        "seed %d, %d ms, %s messages of unreliable services: %s"
            .formatted(
                seed,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                traffic.unreliableMessages(),
                traffic));
  }

  /** Executes random requests, and compares all memory once all have completed. */
  static void round(Bench bench, Traffic traffic, int requests) {
    long end = traffic.requests() + requests;
    while (traffic.requests() < end) {
      long before = traffic.requests();
      bench.until(
          () -> {
            traffic.act();
            return traffic.requests() > before;
          },
          traffic::toString);
    }
    traffic.finish();
    bench.until(traffic::isQuiet, traffic::toString);
    if (bench.loses()) {
      // Late completions would appear here.
      bench.expectCalm(bench.device().createCompletionQueue(1));
      bench.until(traffic::isQuiet, traffic::toString);
    }
    traffic.compare();
  }
}
