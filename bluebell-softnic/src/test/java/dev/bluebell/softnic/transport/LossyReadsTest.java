package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests of all kinds that do not wait for each other, over a fabric that loses and repeats: each
 * has a place of its own, so that what came of it is known when it completes.
 */
class LossyReadsTest {
  private static final int PLACES = 64;
  private static final int PLACE = 4096;
  private static final int IN_FLIGHT = 24;
  private static final int REQUESTS = 300;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 51, 67, 80, 90})
  void everyRequestIsExecutedOnceAndInOrder(long seed) {
    new Run(seed).go();
  }

  private static final class Run {
    private final Random random;
    private final FaultyFabric[] faulty = new FaultyFabric[1];
    private final Rig rig;
    private final RawPair pair;
    private final RawMemory source;
    private final RawMemory target;
    private final RawMemory counter;
    private final ArrayDeque<Runnable> checks = new ArrayDeque<>();
    private int posted;
    private int completed;
    private int atomics;
    private int sends;
    private int received;
    private int receives;

    Run(long seed) {
      random = new Random(seed);
      int packets = 1 + random.nextInt(4);
      double rate = random.nextDouble() * 0.06;
      rig =
          Rigs.open(
              (inside, sink) ->
                  faulty[0] = new FaultyFabric(inside, sink).packetsPerBurst(packets));
      faulty[0].onRequest(request -> fate(rate)).onResponse(response -> fate(rate));
      int logReads = random.nextInt(5);
      pair =
          RawPair.connect(
              rig.qp(new RawQpPlan(rig.cq(9)).sizes(8, 3, 4)),
              rig.qp(new RawQpPlan(rig.cq(9)).sizes(4, 9, 4)),
              new Settings()
                  .mtu(1 + random.nextInt(3))
                  .reads(logReads, logReads)
                  .timeout(6)
                  .psn(0xfffff0, 0xfffff0));
      source = rig.memory(PLACES * PLACE).fill(seed);
      target = rig.memory(PLACES * PLACE);
      counter = rig.memory(8);
    }

    private Fate fate(double rate) {
      double dice = random.nextDouble();
      return dice < rate ? Fate.LOSE : dice < 2 * rate ? Fate.REPEAT : Fate.DELIVER;
    }

    void go() {
      for (int rounds = 0; completed < REQUESTS; rounds++) {
        assertThat(rounds).as("rounds, after %d completions", completed).isLessThan(200_000);
        while (posted < REQUESTS && posted - completed < IN_FLIGHT && random.nextInt(3) > 0) {
          post();
        }
        for (int steps = random.nextInt(4); steps > 0; steps--) {
          rig.nic().step();
        }
        rig.clock().advance(random.nextInt(100_000));
        if (random.nextInt(4) == 0 && receives - received < 256) {
          pair.right().receiveNothing();
          receives++;
        }
        collect();
      }
      rig.settle();
      collect();
      assertThat(received).isEqualTo(sends);
      assertThat(counter.getLong(0)).isEqualTo(atomics);
      target.expectCanaries();
      rig.close();
    }

    private void collect() {
      for (RawCqe cqe : pair.left().sends().poll()) {
        assertThat(cqe.isError()).as(cqe.explanation()).isFalse();
        checks.remove().run();
        completed++;
      }
      for (RawCqe cqe : pair.right().receives().poll()) {
        cqe.require(CqeOpcode.RESP_SEND, received++);
      }
    }

    private void post() {
      int place = posted++ % PLACES * PLACE;
      int bytes = random.nextInt(4) == 0 ? random.nextInt(PLACE) : 8 * random.nextInt(3);
      int from = random.nextInt(PLACES * PLACE - bytes);
      Wqe wqe =
          switch (random.nextInt(6)) {
            case 0 -> {
              int earlier = atomics++;
              checks.add(() -> assertThat(target.getLong(place)).isEqualTo(earlier));
              yield Wqe.fetchAndAdd(counter, 0, 1).data(target, place, 8);
            }
            case 1 -> {
              sends++;
              checks.add(() -> {});
              yield Wqe.send();
            }
            case 2 -> {
              checks.add(() -> {});
              yield Wqe.nop();
            }
            case 3 -> {
              checks.add(() -> expect(place, from, bytes));
              yield Wqe.write(target, place).data(source, from, bytes);
            }
            default -> {
              checks.add(() -> expect(place, from, bytes));
              yield Wqe.read(source, from).data(target, place, bytes);
            }
          };
      int fence =
          switch (random.nextInt(8)) {
            case 0 -> ControlSegment.FENCE;
            case 1 -> ControlSegment.FENCE_STRONG;
            default -> 0;
          };
      pair.left().post(wqe.control(ControlSegment.CE_ALWAYS | fence));
    }

    private void expect(int place, int from, int bytes) {
      assertThat(target.bytes(place, bytes)).isEqualTo(source.bytes(from, bytes));
      target.put(place, new byte[PLACE]);
    }
  }
}
