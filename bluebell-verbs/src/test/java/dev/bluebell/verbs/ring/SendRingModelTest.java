package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.RequestData;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random requests and completions against a naive model of the ring: every request must match the
 * model byte for byte, and every completion must return the id and free the space that the model
 * predicts. A failure names its seed and step.
 */
class SendRingModelTest {
  private static final int STEPS = 4000;
  private static final int BLOCK = 64;

  /** A request or fill in the model. */
  private record Posted(int index, int wqebbs, long id, boolean signaled, boolean fill) {}

  @ParameterizedTest(
      name = "ring 2^{0}, requests up to {1} bytes, NOP fill {2}, staged {3}, seed {4}")
  @CsvSource({
    "0, 64, false, false, 1",
    "1, 128, false, false, 2",
    "3, 256, false, false, 3",
    "4, 256, false, false, 4",
    "6, 1024, false, false, 5",
    "7, 192, false, false, 6",
    "15, 1024, false, false, 7",
    "1, 64, true, false, 8",
    "3, 256, true, false, 9",
    "4, 512, true, false, 10",
    "6, 1024, true, false, 11",
    "7, 192, true, false, 12",
    "0, 64, false, true, 13",
    "1, 128, false, true, 14",
    "4, 256, false, true, 15",
    "15, 1024, false, true, 16",
    "4, 512, true, true, 17",
    "7, 192, true, true, 18"
  })
  void theRingHoldsWhatTheModelSays(
      int logWqebbs, int maxWqeBytes, boolean nopFill, boolean staged, long seed) {
    new Run(logWqebbs, maxWqeBytes, nopFill, staged, seed).run();
  }

  private static final class Run {
    private final Random random;
    private final String name;
    private final SendBench bench;
    private final int wqebbs;
    private final int maxBytes;
    private final boolean nopFill;
    private final boolean staged;

    /** Checks of requests that the ring does not hold yet. */
    private final List<Runnable> unrung = new ArrayList<>();

    private final Deque<Posted> outstanding = new ArrayDeque<>();
    private int producer;
    private int retired;
    private int rung;
    private long nextId;
    private int step;

    Run(int logWqebbs, int maxWqeBytes, boolean nopFill, boolean staged, long seed) {
      random = new Random(seed);
      this.nopFill = nopFill;
      this.staged = staged;
      name = "seed %d".formatted(seed);
      wqebbs = 1 << logWqebbs;
      producer = 65536 - random.nextInt(300);
      retired = producer;
      rung = producer;
      bench =
          new SendBench(
              layout -> layout.withNopFill(nopFill).withStaging(staged).startingAt(producer),
              logWqebbs,
              maxWqeBytes,
              4,
              PlainRequest::new);
      maxBytes = bench.send.maxWqeBytes();
    }

    void run() {
      for (step = 0; step < STEPS; step++) {
        switch (random.nextInt(8)) {
          case 0, 1, 2, 3 -> post();
          case 4 -> ring();
          case 5 -> dropHalfBuilt();
          default -> complete();
        }
        assertThat(bench.send.freeWqebbs()).as(where()).isEqualTo(free());
        assertThat(bench.send.producerIndex()).as(where()).isEqualTo(producer & 0xffff);
      }
    }

    private String where() {
      return "%s, step %d".formatted(name, step);
    }

    private int free() {
      return wqebbs - (producer - retired);
    }

    /** One random request, written both by the ring and by the model. */
    private void post() {
      Expected expected = new Expected(maxBytes);
      if (free() == 0) {
        assertThatIllegalStateException().as(where()).isThrownBy(bench.send::nop);
        return;
      }
      int target = 16 + 16 * random.nextInt(maxBytes / 16);
      long id = nextId++;
      boolean signaled = random.nextInt(3) == 0;
      expected.plan(random, target);
      int needed = expected.wqebbs();
      int slot = producer & wqebbs - 1;
      int fill = nopFill && slot + needed > wqebbs ? wqebbs - slot : 0;
      boolean fits = fill + needed <= free();
      boolean stalls = fits && !signaled && fill + needed == free() && noneIsSignaled();
      if (!fits || stalls) {
        assertThatIllegalStateException()
            .as(where())
            .isThrownBy(() -> expected.build(bench.send, id, signaled));
        return;
      }
      expected.build(bench.send, id, signaled);
      if (fill > 0) {
        expectFill(producer, fill, where());
        outstanding.add(new Posted(producer, fill, -1, false, true));
        producer += fill;
      }
      int at = producer;
      String where = where();
      whenInRing(() -> expected.require(bench.sendMemory, at, wqebbs, signaled, where));
      outstanding.add(new Posted(producer, needed, id, signaled, false));
      producer += needed;
    }

    private boolean noneIsSignaled() {
      return outstanding.stream().noneMatch(Posted::signaled);
    }

    private void expectFill(int index, int fill, String where) {
      long at = (long) (index & wqebbs - 1) * BLOCK;
      String control = "00%04x00001234%02x0000000000000000".formatted(index & 0xffff, 4 * fill);
      whenInRing(() -> assertThat(bench.sendMemory.hex(at, 16)).as(where).isEqualTo(control));
    }

    private void whenInRing(Runnable check) {
      if (staged) {
        unrung.add(check);
      } else {
        check.run();
      }
    }

    private void ring() {
      boolean isNew = producer != rung;
      bench.send.ringDoorbell();
      rung = producer;
      unrung.forEach(Runnable::run);
      unrung.clear();
      if (isNew) {
        String counter = "%08x".formatted(producer & 0xffff);
        assertThat(bench.record.hex(4, 4)).as(where()).isEqualTo(counter);
      }
    }

    private void dropHalfBuilt() {
      if (free() == 0) {
        return;
      }
      RequestData half = bench.send.request().send().gather(0x1000, 8, 9);
      assertThat(half).isNotNull();
      assertThat(bench.send.dropUnfinished()).isTrue();
    }

    /** The device completes the oldest signalled request, or fails the oldest of all. */
    private void complete() {
      Posted done = random.nextInt(4) == 0 ? outstanding.peek() : firstSignaled();
      if (done == null || done.index() - rung >= 0) {
        return;
      }
      if (done.signaled()) {
        bench.complete(done.index() & 0xffff);
      } else {
        bench.fail(done.index() & 0xffff, Syndrome.WR_FLUSH_ERR);
      }
      Completion completion = bench.completions.poll();
      if (done.fill()) {
        assertThat(completion).as(where()).isNull();
      } else {
        assertThat(completion).as(where()).isNotNull();
        assertThat(completion.id()).as(where()).isEqualTo(done.id());
      }
      while (!outstanding.isEmpty() && outstanding.peek().index() - done.index() <= 0) {
        outstanding.remove();
      }
      retired = done.index() + done.wqebbs();
    }

    private Posted firstSignaled() {
      Iterator<Posted> posted = outstanding.iterator();
      while (posted.hasNext()) {
        Posted next = posted.next();
        if (next.signaled()) {
          return next;
        }
      }
      return null;
    }
  }

  /** A request as the model writes it: bytes, and which of them count. */
  private static final class Expected {
    private final ByteBuffer bytes;
    private final boolean[] counts;
    private final int limit;
    private final Deque<Object[]> segments = new ArrayDeque<>();
    private boolean immediate;
    private boolean fence;

    Expected(int limit) {
      this.limit = limit;
      bytes = ByteBuffer.allocate(limit);
      counts = new boolean[limit];
    }

    int wqebbs() {
      return (bytes.position() + BLOCK - 1) / BLOCK;
    }

    /** Draws a request of about the given size. */
    void plan(Random random, int target) {
      immediate = random.nextBoolean();
      fence = random.nextInt(4) == 0;
      bytes.position(16);
      boolean lastInline = false;
      int inlineStart = 0;
      int inlineLength = 0;
      while (bytes.position() < target) {
        int room = limit - bytes.position();
        if (random.nextBoolean()) {
          if (room < 16) {
            return;
          }
          int length = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(1000);
          long address = random.nextLong();
          int lkey = random.nextInt();
          segments.add(new Object[] {address, length, lkey});
          if (length > 0) {
            put(ByteBuffer.allocate(16).putInt(length).putInt(lkey).putLong(address).array());
            lastInline = false;
          }
          if (length == 0) {
            return;
          }
        } else {
          int length = random.nextInt(Math.max(1, Math.min(150, room - 4 + 1)));
          byte[] data = new byte[length];
          random.nextBytes(data);
          segments.add(new Object[] {data, random.nextBoolean()});
          if (length == 0) {
            return;
          }
          if (!lastInline) {
            inlineStart = bytes.position();
            inlineLength = 0;
            lastInline = true;
          }
          bytes.position(inlineStart);
          byte[] header = ByteBuffer.allocate(4).putInt(0x80000000 | inlineLength + length).array();
          put(header);
          bytes.position(inlineStart + 4 + inlineLength);
          put(data);
          inlineLength += length;
          bytes.position((bytes.position() + 15) / 16 * 16);
        }
      }
    }

    private void put(byte[] part) {
      for (byte value : part) {
        counts[bytes.position()] = true;
        bytes.put(value);
      }
    }

    void build(SendRing send, long id, boolean signaled) {
      RequestData stage =
          immediate ? send.request().sendImmediate(0xcafe0102) : send.request().send();
      for (Object[] segment : segments) {
        if (segment[0] instanceof byte[] data) {
          stage =
              (boolean) segment[1]
                  ? stage.inline(data, 0, data.length)
                  : stage.inline(MemorySegment.ofArray(data), 0, data.length);
        } else {
          stage = stage.gather((long) segment[0], (int) segment[1], (int) segment[2]);
        }
      }
      var end = fence ? stage.fence() : stage;
      if (signaled) {
        end.signaled(id);
      } else {
        end.unsignaled(id);
      }
    }

    void require(TestMemory ring, int index, int ringWqebbs, boolean signaled, String where) {
      int ds = bytes.position() / 16;
      int length = bytes.position();
      bytes.position(0);
      int flags = (fence ? 0x80 : 0) | (signaled ? 0x08 : 0);
      put(
          ByteBuffer.allocate(16)
              .putInt((index & 0xffff) << 8 | (immediate ? 0x0b : 0x0a))
              .putInt(SendBench.QPN << 8 | ds)
              .putInt(flags)
              .putInt(immediate ? 0xcafe0102 : 0)
              .array());
      byte[] actual = new byte[length];
      int start = (index & ringWqebbs - 1) * BLOCK;
      int whole = ringWqebbs * BLOCK;
      for (int i = 0; i < length; i++) {
        actual[i] = counts[i] ? ring.byteAt((start + i) % whole) : bytes.get(i);
      }
      assertThat(actual)
          .as("%s, WQE %d", where, index & 0xffff)
          .isEqualTo(Arrays.copyOf(bytes.array(), length));
    }
  }
}
