package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random requests on random streams, which complete in any order that the streams allow. */
class StreamRingModelTest {
  private static final int STEPS = 5_000;
  private static final int STREAMS = 4;
  private static final int MAX_BYTES = 256;

  static LongStream seeds() {
    return new Random().longs(8);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noRequestIsOverwrittenBeforeItCompletes(long seed) {
    new Run(seed).run();
  }

  /** A request of which the device knows, as it lay in memory. */
  private record Posted(int index, int bytes, long id, String image) {}

  private static final class Run {
    private final Random random;
    private final String name;
    private final int wqebbs;
    private final StreamBench bench;
    private final List<List<Posted>> streams = new ArrayList<>();
    private int outstanding;
    private long nextId;

    Run(long seed) {
      name = "seed " + seed;
      random = new Random(seed);
      int logWqebbs = 3 + random.nextInt(3);
      wqebbs = 1 << logWqebbs;
      bench = new StreamBench(logWqebbs, MAX_BYTES, random.nextBoolean(), 8);
      for (int i = 0; i < STREAMS; i++) {
        streams.add(new ArrayList<>());
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        if (random.nextInt(5) < 3) {
          post();
        } else {
          complete();
        }
      }
      while (outstanding > 0) {
        complete();
      }
      assertThat(bench.streams.freeWqebbs()).as(name).isEqualTo(wqebbs);
    }

    private void post() {
      int stream = random.nextInt(STREAMS);
      int data = random.nextInt(MAX_BYTES - 64 - 4);
      // With fill before it, a request may need almost twice its size.
      if (bench.streams.freeWqebbs() < 2 * MAX_BYTES / 64) {
        return;
      }
      byte[] bytes = new byte[data];
      random.nextBytes(bytes);
      bench
          .streams
          .to(StreamBench.DESTINATION, stream)
          .send()
          .inline(bytes, 0, data)
          .signaled(nextId);
      int length = data == 0 ? 64 : -(-(64 + 4 + data) & -16);
      int size = (length + 63) / 64;
      int index = bench.bench.send.producerIndex() - size & 0xffff;
      bench.streams.ringDoorbell();
      streams.get(stream).add(new Posted(index, length, nextId++, image(index, length)));
      outstanding++;
    }

    private String image(int index, int bytes) {
      StringBuilder image = new StringBuilder();
      for (int i = 0; i < bytes; i += 16) {
        image.append(bench.bench.sendMemory.hex((long) (index * 64 + i) & wqebbs * 64 - 1, 16));
      }
      return image.toString();
    }

    private void complete() {
      List<Posted> stream = streams.get(random.nextInt(STREAMS));
      if (stream.isEmpty()) {
        return;
      }
      Posted oldest = stream.removeFirst();
      outstanding--;
      assertThat(image(oldest.index, oldest.bytes)).as(name).isEqualTo(oldest.image);
      assertThat(bench.complete(oldest.index)).as(name).isEqualTo(oldest.id);
    }
  }
}
