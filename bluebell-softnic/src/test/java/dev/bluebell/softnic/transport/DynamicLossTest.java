package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Over a fabric that loses, duplicates, delays and reorders packets, requests of initiators that
 * switch between targets are executed exactly once, and in order. The seed of a failed run is in
 * its name.
 */
class DynamicLossTest {
  private static final int TARGETS = 3;
  private static final int INITIATORS = 3;
  private static final int REQUESTS = 60;
  private static final int BYTES = 1500;
  private static final int LOG_STREAMS = 2;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyRequestIsExecutedOnceAndInOrder(long seed) {
    Random random = new Random(seed);
    LossOptions loss =
        new LossOptions(
            share(random), share(random), share(random), random.nextInt(3) * 25_000L, seed);
    try (Rig rig = Rigs.open(loss)) {
      new Run(rig, random, random.nextBoolean()).go();
    }
  }

  private static double share(Random random) {
    return random.nextInt(4) == 0 ? 0 : random.nextDouble() * 0.1;
  }

  private static final class Run {
    private final Rig rig;
    private final Random random;
    private final boolean streams;
    private final RawMemory memory;
    private final RawPool pool;
    private final List<RawDct> targets = new ArrayList<>();
    private final List<RawQp> initiators = new ArrayList<>();
    private final int[] posted = new int[INITIATORS];
    private final int[] completed = new int[INITIATORS];
    private final long[] added = new long[TARGETS];
    private final int[][][] sent = new int[INITIATORS][TARGETS][1 << LOG_STREAMS];
    private final int[][][] received = new int[INITIATORS][TARGETS][1 << LOG_STREAMS];
    private int receives;

    Run(Rig rig, Random random, boolean streams) {
      this.rig = rig;
      this.random = random;
      this.streams = streams;
      memory = rig.memory(1 << 20);
      pool = new RawPool(rig, false, 8);
      for (int i = 0; i < TARGETS; i++) {
        targets.add(new RawDct(rig, rig.cq(10), pool));
      }
      for (int i = 0; i < INITIATORS; i++) {
        RawQp initiator =
            rig.qp(
                new RawQpPlan(rig.cq(10))
                    .initiator()
                    .sizes(8, 0, 4)
                    .change(
                        qpc ->
                            qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, streams ? LOG_STREAMS : 0)));
        initiator.connect(0, new Settings().mtu(3).timeout(5));
        initiators.add(initiator);
      }
    }

    void go() {
      for (int i = 0; i < 200; i++) {
        receive();
      }
      int last = 0;
      for (int round = 0; last < 20 && round < 100_000; round++) {
        for (int i = 0; i < INITIATORS; i++) {
          if (posted[i] < REQUESTS && posted[i] - completed[i] < 16 && random.nextInt(3) == 0) {
            post(i);
          }
        }
        rig.pass(random.nextInt(100_000));
        poll();
        last += isDone() ? 1 : 0;
      }
      assertThat(completed).as(rig.explanations().toString()).containsOnly(REQUESTS);
      for (int i = 0; i < TARGETS; i++) {
        assertThat(memory.getLong(8L * i)).as("counter of target %d", i).isEqualTo(added[i]);
      }
      assertThat(received).isDeepEqualTo(sent);
    }

    private boolean isDone() {
      for (int count : completed) {
        if (count < REQUESTS) {
          return false;
        }
      }
      return true;
    }

    private void receive() {
      int slot = receives++ & 0xff;
      pool.write(slot, 0, memory.address(slotOffset(slot)), 2048, memory.key());
      pool.post(1);
    }

    private static int slotOffset(int slot) {
      return 4096 + slot * 2048;
    }

    private void post(int initiator) {
      int to = random.nextInt(TARGETS);
      int stream = streams ? random.nextInt(1 << LOG_STREAMS) : 0;
      RawDct target = targets.get(to);
      RawQp qp = initiators.get(initiator);
      if (random.nextBoolean()) {
        long result = memory.address((1 << 19) + initiator * 8L);
        added[to] += 1 + initiator;
        qp.post(
            Wqe.dynamic(WqeOpcode.ATOMIC_FA, target).stream(stream)
                .remote(memory.address(8L * to), memory.key())
                .words(1 + initiator, 0)
                .data(result, 8, memory.key()));
      } else {
        long from = (1 << 19) + 4096 + (long) (initiator * REQUESTS + posted[initiator]) * 2048;
        int number = ++sent[initiator][to][stream];
        memory.putLong(from, initiator);
        memory.putLong(from + 8, stream);
        memory.putLong(from + 16, number);
        qp.post(Wqe.dynamic(WqeOpcode.SEND, target).stream(stream).data(memory, from, BYTES));
      }
      posted[initiator]++;
    }

    private void poll() {
      for (int i = 0; i < INITIATORS; i++) {
        List<RawCqe> ends = initiators.get(i).sends().poll();
        assertThat(ends).as(rig.explanations().toString()).noneMatch(RawCqe::isError);
        completed[i] += ends.size();
      }
      for (int i = 0; i < TARGETS; i++) {
        for (RawCqe cqe : targets.get(i).cq().poll()) {
          assertThat(cqe.isError()).as(cqe.toString()).isFalse();
          int at = slotOffset(cqe.wqeCounter() & 0xff);
          int initiator = (int) memory.getLong(at);
          int stream = (int) memory.getLong(at + 8);
          assertThat((int) memory.getLong(at + 16))
              .as("message of initiator %d to target %d", initiator, i)
              .isEqualTo(++received[initiator][i][stream]);
          receive();
        }
      }
    }
  }
}
