package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile receivers: compressed completion queues whose consumer indices and rings change at any
 * time, striding receive WQEs without memory for their strides, and DC targets that end while their
 * sessions run. The device stays inside their memory, comes to rest and serves other clients. The
 * seed of a failed run is in its name.
 */
class HostileReceiversTest {
  private static final int EVENTS = 1500;
  private static final int BYTES = 1 << 14;

  /**
   * With an adversary, parts of the device rest for random times: up to 26,342 steps in 1,000
   * seeds.
   */
  private static final int STEPS_TO_REST = 100_000;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  void theDeviceStaysWithinItsBounds(long seed) {
    new Attack(seed).run();
  }

  private static final class Attack {
    private final Random random;
    private final Rig rig;
    private final RawMemory memory;
    private final QuietPair quiet;
    private final RawPool pool;
    private final RawPool linked;
    private final RawPool plain;
    private final List<RawCq> completions = new ArrayList<>();
    private final List<RawDct> targets = new ArrayList<>();
    private final List<RawQp> initiators = new ArrayList<>();
    private RawPair pair;

    Attack(long seed) {
      random = new Random(seed);
      rig = Rigs.open(options -> seed % 3 == 0 ? options.withAdversary(seed) : options);
      memory = rig.memory(BYTES).fill(seed);
      quiet = new QuietPair(rig, seed);
      pool = striding(false);
      linked = striding(true);
      plain = new RawPool(rig, true, 3);
      for (int i = 0; i < 4; i++) {
        completions.add(compressed());
      }
      pair = pair();
      for (int i = 0; i < 3; i++) {
        targets.add(target());
        initiators.add(initiator(2 * i));
      }
    }

    private RawPool striding(boolean isLinked) {
      return new RawPool(
          rig,
          isLinked,
          3,
          wq ->
              wq.set(
                      Wq.WQ_TYPE,
                      isLinked ? Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ : Wq.WQ_TYPE_CYCLIC_STRIDING_RQ)
                  .set(Wq.LOG_WQE_NUM_OF_STRIDES, random.nextBoolean() ? 0xa : random.nextInt(8))
                  .set(Wq.LOG_WQE_STRIDE_SIZE, random.nextInt(8)));
    }

    private RawCq compressed() {
      int layout = random.nextBoolean() ? Cqc.LAYOUT_BASIC : Cqc.LAYOUT_ENHANCED;
      int format = random.nextInt(3);
      boolean overwrites = random.nextInt(4) == 0;
      return new RawCq(
          rig,
          random.nextInt(6),
          rig.uar(),
          cqc ->
              cqc.set(Cqc.CQE_COMP_EN, true)
                  .set(Cqc.OI, overwrites)
                  .set(Cqc.CQE_COMPRESSION_LAYOUT, layout)
                  .set(Cqc.MINI_CQE_RES_FORMAT, format == 2 ? Cqc.MINI_CQE_CSUM_STRIDX : format));
    }

    private RawCq anyCompletions() {
      return completions.get(random.nextInt(completions.size()));
    }

    private RawPair pair() {
      RawQpPlan receiver =
          new RawQpPlan(anyCompletions())
              .pool(random.nextInt(3) == 0 ? plain : random.nextBoolean() ? pool : linked);
      return RawPair.connect(
          rig.qp(new RawQpPlan(anyCompletions()).sizes(5, 2, 4)),
          rig.qp(receiver),
          new Settings().mtu(1 + random.nextInt(5)).rnrRetry(2).timeout(1));
    }

    private RawDct target() {
      return new RawDct(rig, anyCompletions(), random.nextBoolean() ? plain : pool);
    }

    private RawQp initiator(int logStreams) {
      RawQp made =
          rig.qp(
              new RawQpPlan(anyCompletions())
                  .initiator()
                  .sizes(5, 0, 4)
                  .change(qpc -> qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, logStreams)));
      made.connect(0, new Settings().mtu(1 + random.nextInt(3)).rnrRetry(1).timeout(1));
      return made;
    }

    void run() {
      for (int i = 0; i < EVENTS; i++) {
        strike();
        if (random.nextInt(3) == 0) {
          rig.settle(STEPS_TO_REST);
          rig.clock().advance(1L << random.nextInt(26));
          rig.settle(STEPS_TO_REST);
        } else {
          rig.nic().step();
        }
      }
      rig.settle(STEPS_TO_REST);
      quiet.post();
      rig.settle();
      quiet.expectDone();
      quiet.expectAlive();
      memory.expectCanaries();
      quiet.expectCanaries();
      completions.forEach(RawCq::expectCanaries);
      pool.expectCanaries();
      linked.expectCanaries();
      plain.expectCanaries();
      rig.close();
    }

    private void strike() {
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> post(pair.left(), message(new Wqe(opcode())));
        case 3, 4, 5 -> {
          RawDct to = targets.get(random.nextInt(targets.size()));
          RawQp from = initiators.get(random.nextInt(initiators.size()));
          post(from, message(Wqe.dynamic(opcode(), to).stream(random.nextInt(80))));
        }
        case 6 -> anyPool().writeRecord(random.nextInt());
        case 7 -> anyPool().post(1);
        case 8, 9 ->
            anyPool()
                .write(
                    random.nextInt(8),
                    random.nextInt(1 << 16),
                    memory.address(random.nextInt(2 * BYTES) - BYTES / 2),
                    random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(BYTES),
                    random.nextInt(8) == 0 ? random.nextInt() : memory.key());
        case 10 ->
            Memory.putInt(anyCompletions().record() + DoorbellRecord.CQ_SET_CI, random.nextInt());
        case 11 -> anyCompletions().poll();
        case 12 -> move();
        case 13 -> anyCompletions().arm(random.nextInt(4), random.nextBoolean());
        case 14 -> end();
        default -> revive();
      }
    }

    private int opcode;

    private int opcode() {
      int[] all = {
        WqeOpcode.SEND,
        WqeOpcode.SEND_IMM,
        WqeOpcode.SEND_INVAL,
        WqeOpcode.RDMA_WRITE_IMM,
        WqeOpcode.RDMA_READ
      };
      opcode = all[random.nextInt(all.length)];
      return opcode;
    }

    private Wqe message(Wqe wqe) {
      int bytes = random.nextInt(random.nextBoolean() ? 64 : BYTES / 2);
      if (opcode == WqeOpcode.RDMA_WRITE_IMM || opcode == WqeOpcode.RDMA_READ) {
        wqe.remote(memory.address(random.nextInt(BYTES / 2)), memory.key());
      }
      return wqe.immediate(random.nextInt()).data(memory, random.nextInt(BYTES / 2), bytes);
    }

    private void post(RawQp from, Wqe wqe) {
      if (from.state() == QpState.RTS) {
        from.post(wqe);
      }
    }

    private RawPool anyPool() {
      return List.of(pool, linked, plain).get(random.nextInt(3));
    }

    private void move() {
      try {
        anyCompletions().move(random.nextInt(6));
      } catch (HcaException full) {
        assertThat(full).hasMessageContaining("needs room for one more");
      }
    }

    /** Ends a target, even with sessions running, and begins another. */
    private void end() {
      int at = random.nextInt(targets.size());
      RawDct gone = targets.get(at);
      gone.drain();
      if (random.nextBoolean()) {
        rig.nic().step();
      }
      gone.object().close();
      targets.set(at, target());
    }

    /** Replaces overrun completion queues and failed queue pairs. */
    private void revive() {
      RawCq fresh = compressed();
      completions.get(completions.size() - 1).expectCanaries();
      if (completions.size() < 24) {
        completions.add(fresh);
      }
      if (pair.left().state() != QpState.RTS || pair.right().state() != QpState.RTS) {
        pair.left().object().close();
        pair.right().object().close();
        pair = pair();
      }
      for (int i = 0; i < initiators.size(); i++) {
        if (initiators.get(i).state() != QpState.RTS) {
          initiators.get(i).object().close();
          initiators.set(i, initiator(2 * i));
        }
      }
    }
  }
}
