package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random requests over a fabric that loses, duplicates, delays and reorders packets have the same
 * results as without: each is executed once, in order. The seed of a failed run is in its name.
 */
class LossyModelTest {
  private static final int SIZE = 1 << 15;
  private static final int REQUESTS = 200;
  private static final int SLOTS = 64;

  /** Bytes of the longest message: three packets of the largest path MTU here. */
  private static final int LONGEST = 3 * 1024;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyRequestIsExecutedOnceAndInOrder(long seed) {
    Random random = new Random(seed);
    LossOptions loss =
        new LossOptions(
            share(random), share(random), share(random), random.nextInt(3) * 25_000L, seed);
    new Run(seed, random, Rigs.open(loss)).go();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void requestsInTrainsOfPacketsAreExecutedOnceAndInOrder(long seed) {
    Random random = new Random(seed);
    int packets = 1 + random.nextInt(4);
    double loss = share(random);
    double duplicate = share(random);
    Supplier<Fate> fate =
        () -> {
          double dice = random.nextDouble();
          return dice < loss ? Fate.LOSE : dice < loss + duplicate ? Fate.REPEAT : Fate.DELIVER;
        };
    Rig rig =
        Rigs.open(
            (inside, sink) ->
                new FaultyFabric(inside, sink)
                    .packetsPerBurst(packets)
                    .onRequest(request -> fate.get())
                    .onResponse(response -> fate.get()));
    new Run(seed, random, rig).go();
  }

  private static double share(Random random) {
    return random.nextInt(4) == 0 ? 0 : random.nextDouble() * 0.1;
  }

  /** A stretch of memory. */
  private record Range(int from, int bytes) {

    boolean overlaps(Range other) {
      return from < other.from + other.bytes && other.from < from + bytes;
    }
  }

  /** A message that must be received, in this order. */
  private record Message(int opcode, int bytes, int immediate, byte[] data) {}

  private static final class Run {
    private final Random random;
    private final Rig rig;
    private final RawPair pair;
    private final int mtu;
    private final int inFlight;
    private final RawMemory local;
    private final RawMemory remote;
    private final RawMemory inbox;
    private final byte[] localModel;
    private final byte[] remoteModel;
    private final Deque<Integer> opcodes = new ArrayDeque<>();
    private final Deque<Message> messages = new ArrayDeque<>();

    // Memory that READs and atomics without a later fence may still read or write.
    private final List<Range> fetchedFrom = new ArrayList<>();
    private final List<Range> fetchedInto = new ArrayList<>();
    private int postedReceives;
    private int received;
    private int posted;
    private int completed;

    Run(long seed, Random random, Rig rig) {
      this.random = random;
      this.rig = rig;
      int mtuCode = 1 + random.nextInt(3);
      int logReads = random.nextInt(5);
      mtu = 128 << mtuCode;
      inFlight = 1 + random.nextInt(SLOTS);
      RawQpPlan left = new RawQpPlan(rig.cq(9)).sizes(8, 3, 4);
      RawQpPlan right = new RawQpPlan(rig.cq(9)).sizes(4, 6, 4);
      pair =
          RawPair.connect(
              rig.qp(left),
              rig.qp(right),
              new Settings()
                  .mtu(mtuCode)
                  .reads(logReads, logReads)
                  .timeout(7)
                  .psn(0xffff80, 0xffff80));
      local = rig.memory(SIZE).fill(seed);
      remote = rig.memory(SIZE).fill(~seed);
      inbox = rig.memory(SLOTS * LONGEST);
      localModel = local.bytes();
      remoteModel = remote.bytes();
    }

    void go() {
      for (int rounds = 0; completed < REQUESTS || !messages.isEmpty(); rounds++) {
        assertThat(rounds).as("rounds, after %d completions", completed).isLessThan(100_000);
        while (posted < REQUESTS && posted - completed < inFlight && random.nextInt(3) > 0) {
          post();
          posted++;
        }
        if (random.nextInt(3) == 0 && postedReceives - received < SLOTS) {
          int slot = postedReceives++ % SLOTS;
          pair.right().receive(inbox.address((long) slot * LONGEST), LONGEST, inbox.key());
        }
        if (rig.nic().step() == 0) {
          rig.clock().advance(random.nextInt(50_000));
        }
        collect();
      }
      assertThat(local.bytes()).isEqualTo(localModel);
      assertThat(remote.bytes()).isEqualTo(remoteModel);
      local.expectCanaries();
      remote.expectCanaries();
      inbox.expectCanaries();
      rig.close();
    }

    private void collect() {
      for (RawCqe cqe : pair.left().sends().poll()) {
        assertThat(cqe.isError()).as(cqe.explanation()).isFalse();
        assertThat(cqe.sendOpcode()).isEqualTo(opcodes.remove());
        completed++;
      }
      for (RawCqe cqe : pair.right().receives().poll()) {
        Message message = messages.remove();
        int slot = received % SLOTS;
        cqe.require(message.opcode(), received++);
        assertThat(cqe.byteCount()).isEqualTo(message.bytes());
        assertThat(cqe.immediate()).isEqualTo(message.immediate());
        assertThat(inbox.bytes((long) slot * LONGEST, message.data().length))
            .isEqualTo(message.data());
      }
    }

    /** Posts a request, with a fence if it would race with those before it. */
    private void post() {
      int bytes = random.nextInt(3 * mtu + 1);
      Range from = range(bytes);
      Range to = range(bytes);
      switch (random.nextInt(8)) {
        case 0 -> {
          boolean fence = races(to, from);
          System.arraycopy(localModel, from.from(), remoteModel, to.from(), bytes);
          post(WqeOpcode.RDMA_WRITE, write(WqeOpcode.RDMA_WRITE, from, to), fence);
        }
        case 1 -> {
          boolean fence = races(to, from);
          System.arraycopy(localModel, from.from(), remoteModel, to.from(), bytes);
          messages.add(new Message(CqeOpcode.RESP_WR_IMM, bytes, posted, new byte[0]));
          Wqe wqe = write(WqeOpcode.RDMA_WRITE_IMM, from, to).immediate(posted);
          post(WqeOpcode.RDMA_WRITE_IMM, wqe, fence);
        }
        case 2 -> {
          boolean fence = races(new Range(0, 0), from);
          byte[] data = Arrays.copyOfRange(localModel, from.from(), from.from() + bytes);
          messages.add(new Message(CqeOpcode.RESP_SEND_IMM, bytes, posted, data));
          Wqe wqe = new Wqe(WqeOpcode.SEND_IMM).immediate(posted);
          post(WqeOpcode.SEND_IMM, wqe.data(local, from.from(), bytes), fence);
        }
        case 3 -> post(WqeOpcode.NOP, Wqe.nop(), false);
        case 4 -> postAtomic(true);
        case 5 -> postAtomic(false);
        default -> {
          // Responses come in order, so READs need no fence among themselves.
          System.arraycopy(remoteModel, from.from(), localModel, to.from(), bytes);
          Wqe wqe = Wqe.read(remote, from.from()).data(local, to.from(), bytes);
          post(WqeOpcode.RDMA_READ, wqe, false);
          fetchedFrom.add(from);
          fetchedInto.add(to);
        }
      }
    }

    private Wqe write(int opcode, Range from, Range to) {
      return new Wqe(opcode)
          .remote(remote.address(to.from()), remote.key())
          .data(local, from.from(), from.bytes());
    }

    private void postAtomic(boolean add) {
      Range word = new Range(random.nextInt(SIZE / 8) * 8, 8);
      Range result = range(8);
      boolean fence = races(word, new Range(0, 0));
      long old = getLong(remoteModel, word.from());
      long operand = random.nextLong();
      Wqe wqe =
          add
              ? Wqe.fetchAndAdd(remote, word.from(), operand)
              : new Wqe(WqeOpcode.ATOMIC_CS)
                  .remote(remote.address(word.from()), remote.key())
                  .words(operand, old);
      putLong(remoteModel, word.from(), add ? old + operand : operand);
      putLong(localModel, result.from(), old);
      post(
          add ? WqeOpcode.ATOMIC_FA : WqeOpcode.ATOMIC_CS,
          wqe.data(local, result.from(), 8),
          fence);
      fetchedFrom.add(word);
      fetchedInto.add(result);
    }

    private void post(int opcode, Wqe wqe, boolean fence) {
      int control = ControlSegment.CE_ALWAYS;
      if (fence || random.nextInt(16) == 0) {
        control |= ControlSegment.FENCE;
        fetchedFrom.clear();
        fetchedInto.clear();
      }
      pair.left().post(wqe.control(control));
      opcodes.add(opcode);
    }

    private boolean races(Range written, Range read) {
      return fetchedFrom.stream().anyMatch(written::overlaps)
          || fetchedInto.stream().anyMatch(read::overlaps);
    }

    private Range range(int bytes) {
      return new Range(random.nextInt(SIZE - bytes), bytes);
    }

    private static long getLong(byte[] bytes, int at) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong(at);
    }

    private static void putLong(byte[] bytes, int at, long value) {
      ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(at, value);
    }
  }
}
