package dev.bluebell.conformance;

import dev.bluebell.conformance.traffic.Traffic;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random legal requests over several connections at once, compared with a model of memory in plain
 * Java. The seed of a failed run is in its name.
 */
@Conformance
class ModelTest {
  private static final int ROUNDS = 60;
  private static final int REQUESTS_PER_ROUND = 80;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void memoryAndCompletionsAreWhatTheModelSays(long seed, Bench bench) {
    Traffic traffic = Traffic.ofConnections(bench.device(), seed, bench.loses());
    for (int round = 0; round < ROUNDS; round++) {
      TrafficTest.round(bench, traffic, REQUESTS_PER_ROUND);
    }
  }
}
