package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePairBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random legal requests over several queue pairs at once, against a model of memory in plain Java.
 * The seed of a failed run is in its name.
 */
@Conformance
class ModelTest {
  private static final int PAIRS = 3;
  private static final int ROUNDS = 60;
  private static final int REQUESTS_PER_ROUND = 80;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void memoryAndCompletionsAreWhatTheModelSays(long seed, Bench bench) {
    Random random = new Random(seed);
    SharedCounter counter = new SharedCounter();
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      int mtu = 256 << random.nextInt(5);
      Ends ends =
          bench
              .ends()
              .left(plan -> shape(plan, random))
              .right(plan -> shape(plan, random))
              .options(options -> options(options, mtu, random))
              .connect();
      Lane there = new Lane(random, ends.left(), ends.right(), counter);
      Lane back = new Lane(random, ends.right(), ends.left(), counter);
      lanes.addAll(List.of(there, back));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < REQUESTS_PER_ROUND; i++) {
        lanes.get(random.nextInt(lanes.size())).act();
        poll(lanes);
      }
      lanes.forEach(Lane::finish);
      bench.until(
          () -> {
            poll(lanes);
            return lanes.stream().noneMatch(Lane::isBusy);
          },
          () -> "%s".formatted(lanes));
      lanes.forEach(Lane::compareMemory);
      counter.compare();
    }
    assertThat(lanes.stream().mapToInt(Lane::completed).sum()).isGreaterThan(PAIRS * ROUNDS);
  }

  /** A lane's sends and its peer's receives complete in different queues, which lanes share. */
  private static void poll(List<Lane> lanes) {
    for (Lane lane : lanes) {
      lane.poster()
          .completions()
          .poll(
              completion -> {
                Done done = Done.of(completion);
                Lane owner = lanes.get(Lane.numberOf(done.id(), lanes));
                owner.completed(done);
              });
    }
  }

  private static RcQueuePairBuilder shape(RcQueuePairBuilder plan, Random random) {
    return plan.sendQueue(1 << 3 + random.nextInt(4))
        .maxGather(Lane.MOST_PIECES)
        .maxScatter(Lane.MOST_PIECES)
        .maxInline(28 + random.nextInt(200))
        .receiveQueue(Lane.INBOX_SLOTS)
        .nopFill(random.nextBoolean())
        .blueFlame(random.nextBoolean());
  }

  private static ConnectOptions options(ConnectOptions options, int mtu, Random random) {
    return options.withPathMtu(mtu).withMaxReads(1 + random.nextInt(16)).withMinRnrTimer(1);
  }
}
