package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests of a shared receive queue against a model of the device, which takes entries in
 * the order of their links and completes them in any order.
 */
class SharedReceiveModelTest {
  private static final int STEPS = 10_000;
  private static final int LOG_STRIDE = 5;

  static LongStream seeds() {
    return new Random().longs(6);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theDeviceTakesRequestsAsTheyWerePosted(long seed) {
    new Run(seed).run();
  }

  private record Taken(int entry, long id) {}

  private static final class Run {
    private final long seed;
    private final Random random;
    private final SharedBench shared;
    private final int capacity;
    private final Deque<Long> posted = new ArrayDeque<>();
    private final List<Taken> taken = new ArrayList<>();
    private int entry;
    private int consumed;
    private long nextId = 0x1000;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      int logEntries = 1 + random.nextInt(6);
      shared = new SharedBench(logEntries, LOG_STRIDE);
      capacity = (1 << logEntries) - 1;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(4)) {
          case 0, 1 -> post();
          case 2 -> take();
          default -> complete();
        }
        int free = capacity - posted.size() - taken.size();
        assertThat(shared.receive.freeRequests()).as("seed %d", seed).isLessThanOrEqualTo(free);
        if (random.nextInt(5) == 0) {
          assertThat(shared.receive.exactFreeRequests()).as("seed %d", seed).isEqualTo(free);
        }
      }
    }

    private void post() {
      if (posted.size() + taken.size() == capacity) {
        assertThatIllegalStateException().as("seed %d", seed).isThrownBy(shared.receive::receive);
        return;
      }
      long id = nextId++;
      shared.receive.receive().scatter(id, 64, 7).post(id);
      shared.receive.ringDoorbell();
      posted.add(id);
    }

    /** The device consumes the next request, whose entry then names the one behind it. */
    private void take() {
      int counter = Integer.parseUnsignedInt(shared.record.hex(0, 4), 16);
      if (posted.isEmpty()) {
        return;
      }
      assertThat(counter - consumed & 0xffff).as("seed %d", seed).isEqualTo(posted.size());
      long id = posted.remove();
      String address = shared.memory.hex(((long) entry << LOG_STRIDE) + 24, 8);
      assertThat(address).as("seed %d", seed).isEqualTo("%016x".formatted(id));
      taken.add(new Taken(entry, id));
      entry = shared.linkOf(entry, 1 << LOG_STRIDE);
      consumed = consumed + 1 & 0xffff;
    }

    private void complete() {
      if (taken.isEmpty()) {
        return;
      }
      Taken done = taken.remove(random.nextInt(taken.size()));
      shared.complete(done.entry);
      assertThat(shared.bench.poll().id()).as("seed %d", seed).isEqualTo(done.id);
    }
  }
}
