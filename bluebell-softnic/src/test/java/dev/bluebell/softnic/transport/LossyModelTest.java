package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random requests over a fabric that loses and repeats packets end as they would without: each is
 * executed once, in order. The seed of a failed run is in its name.
 */
class LossyModelTest {
  private static final int SIZE = 1 << 16;
  private static final int REQUESTS = 300;
  private static final int IN_FLIGHT = 24;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void everyRequestIsExecutedOnceAndInOrder(long seed) {
    new Run(seed).go();
  }

  private static final class Run {
    private final Random random;
    private final Rig rig;
    private final RawPair pair;
    private final RawMemory local;
    private final RawMemory remote;
    private final byte[] localModel;
    private final byte[] remoteModel;
    private final List<Integer> expectedOpcodes = new ArrayList<>();
    private int receives;
    private int received;
    private int completed;

    Run(long seed) {
      random = new Random(seed);
      FaultyFabric[] faulty = new FaultyFabric[1];
      int packets = 1 + random.nextInt(4);
      double rate = random.nextDouble() * 0.06;
      rig =
          Rigs.open(
              (inside, sink) -> {
                faulty[0] = new FaultyFabric(inside, sink).packetsPerBurst(packets);
                return faulty[0];
              });
      Supplier<Fate> fate =
          () -> {
            double dice = random.nextDouble();
            return dice < rate ? Fate.LOSE : dice < 2 * rate ? Fate.REPEAT : Fate.DELIVER;
          };
      faulty[0].onRequest(request -> fate.get()).onResponse(response -> fate.get());
      RawQpPlan left = new RawQpPlan(rig.cq(9)).sizes(8, 3, 4);
      RawQpPlan right = new RawQpPlan(rig.cq(9)).sizes(4, 9, 4);
      int logReads = random.nextInt(5);
      pair =
          RawPair.connect(
              rig.qp(left),
              rig.qp(right),
              new Settings()
                  .mtu(1 + random.nextInt(3))
                  .reads(logReads, logReads)
                  .timeout(6)
                  .psn(0xfffff0, 0xfffff0));
      local = rig.memory(SIZE).fill(seed);
      remote = rig.memory(SIZE).fill(~seed);
      localModel = local.bytes();
      remoteModel = remote.bytes();
    }

    void go() {
      int posted = 0;
      for (int rounds = 0; completed < REQUESTS; rounds++) {
        assertThat(rounds).as("rounds, after %d completions", completed).isLessThan(200_000);
        while (posted < REQUESTS && posted - completed < IN_FLIGHT && random.nextInt(3) > 0) {
          post();
          posted++;
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
      assertThat(local.bytes()).isEqualTo(localModel);
      assertThat(remote.bytes()).isEqualTo(remoteModel);
      local.expectCanaries();
      remote.expectCanaries();
      rig.close();
    }

    private void collect() {
      for (RawCqe cqe : pair.left().sends().poll()) {
        assertThat(cqe.isError()).as(cqe.explanation()).isFalse();
        assertThat(cqe.sendOpcode()).isEqualTo(expectedOpcodes.get(completed));
        completed++;
      }
      for (RawCqe cqe : pair.right().receives().poll()) {
        cqe.require(CqeOpcode.RESP_SEND, received++);
      }
    }

    /** Posts a request that waits for all fetching ones before it, so that the model is simple. */
    private void post() {
      int bytes = random.nextInt(8) == 0 ? random.nextInt(SIZE / 2) : random.nextInt(2000);
      int from = random.nextInt(SIZE - bytes);
      int to = random.nextInt(SIZE - bytes);
      int word = random.nextInt(SIZE / 8) * 8;
      Wqe wqe =
          switch (random.nextInt(5)) {
            case 0 -> {
              System.arraycopy(localModel, from, remoteModel, to, bytes);
              yield Wqe.write(remote, to).data(local, from, bytes);
            }
            case 1 -> {
              System.arraycopy(remoteModel, from, localModel, to, bytes);
              yield Wqe.read(remote, from).data(local, to, bytes);
            }
            case 2 -> {
              int result = random.nextInt(SIZE - 8);
              long old = getLong(remoteModel, word);
              putLong(remoteModel, word, old + bytes);
              putLong(localModel, result, old);
              yield Wqe.fetchAndAdd(remote, word, bytes).data(local, result, 8);
            }
            case 3 -> {
              int result = random.nextInt(SIZE - 8);
              long old = getLong(remoteModel, word);
              putLong(remoteModel, word, ~old);
              putLong(localModel, result, old);
              yield new Wqe(WqeOpcode.ATOMIC_CS)
                  .remote(remote.address(word), remote.key())
                  .words(~old, old)
                  .data(local, result, 8);
            }
            default -> Wqe.send();
          };
      int index = pair.left().post(wqe.control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE));
      expectedOpcodes.add(ControlSegment.opcode(Memory.getLong(pair.left().wqebb(index))));
    }

    private static long getLong(byte[] bytes, int at) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong(at);
    }

    private static void putLong(byte[] bytes, int at, long value) {
      ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(at, value);
    }
  }
}
