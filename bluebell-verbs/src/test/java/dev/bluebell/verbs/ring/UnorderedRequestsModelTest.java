package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random requests that complete in any order, against a plain model of a ring's slots. */
class UnorderedRequestsModelTest {
  private static final int STEPS = 20_000;

  static LongStream seeds() {
    return new Random().longs(8);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noSlotIsEverHandedOutTwice(long seed) {
    new Run(seed).run();
  }

  private record Request(int index, int span, long id) {}

  private static final class Run {
    private final Random random;
    private final long seed;
    private final int slots;
    private final UnorderedRequests requests;
    private final BitSet taken;
    private final TreeMap<Long, Request> outstanding = new TreeMap<>();
    private final List<Request> released = new ArrayList<>();
    private int next;
    private long nextId;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      slots = 1 << random.nextInt(8);
      next = random.nextInt(0x10000);
      requests = new UnorderedRequests(slots, next);
      taken = new BitSet(slots);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        if (random.nextBoolean()) {
          add();
        } else {
          release();
        }
        assertThat(requests.free(next)).as("seed %d", seed).isLessThanOrEqualTo(free());
        if (random.nextInt(3) == 0) {
          assertThat(requests.exactFree(next)).as("seed %d", seed).isEqualTo(free());
        }
      }
    }

    /** Slots that are free in a row from the next on. */
    private int free() {
      int count = 0;
      while (count < slots && !taken.get(next + count & slots - 1)) {
        count++;
      }
      return count;
    }

    private void add() {
      int span = 1 + random.nextInt(4);
      if (requests.free(next) < span && requests.exactFree(next) < span) {
        return;
      }
      Request request = new Request(next, span, nextId++);
      for (int i = 0; i < span; i++) {
        int slot = next + i & slots - 1;
        assertThat(taken.get(slot)).as("seed %d, slot %d is taken", seed, slot).isFalse();
        taken.set(slot);
      }
      requests.add(request.index, span, request.id);
      outstanding.put(request.id, request);
      next = next + span & 0xffff;
    }

    private void release() {
      if (!released.isEmpty() && random.nextInt(4) == 0) {
        Request again = released.get(random.nextInt(released.size()));
        boolean reused =
            outstanding.values().stream().anyMatch(request -> request.index == again.index);
        assertThat(requests.isOutstanding(again.index)).as("seed %d", seed).isEqualTo(reused);
        if (!reused) {
          assertThat(requests.release(again.index)).as("seed %d", seed).isFalse();
        }
        return;
      }
      if (outstanding.isEmpty()) {
        return;
      }
      long from = outstanding.firstKey();
      long to = outstanding.lastKey();
      Request request = outstanding.ceilingEntry(random.nextLong(from, to + 1)).getValue();
      assertThat(requests.id(request.index)).as("seed %d", seed).isEqualTo(request.id);
      assertThat(requests.release(request.index)).as("seed %d", seed).isTrue();
      outstanding.remove(request.id);
      released.add(request);
      for (int i = 0; i < request.span; i++) {
        taken.clear(request.index + i & slots - 1);
      }
    }
  }
}
