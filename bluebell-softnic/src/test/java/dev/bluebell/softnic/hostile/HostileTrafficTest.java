package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The hostile twin of the model test: whatever software writes to queues, doorbell records and
 * registers, the device stays within registered memory, takes a bounded number of steps, allocates
 * a bounded amount, and serves the next queue pair normally. The seed of a failed run is in its
 * name.
 */
class HostileTrafficTest {
  private static final int PAIRS = 4;
  private static final int EVENTS = 3000;
  private static final int MEMORY_BYTES = 1 << 16;
  private static final int STEPS_TO_REST = 20_000;
  private static final long ALLOCATED_BYTES_PER_EVENT = 100_000;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  void theDeviceStaysWithinItsBounds(long seed) {
    new Attack(seed).run();
  }

  private static final class Attack {
    private final Random random;
    private final Rig rig = Rigs.open();
    private final RawMemory memory = rig.memory(MEMORY_BYTES).fill(1);
    private final RawMemory readOnly = rig.memory(MEMORY_BYTES, HcaAccess.REMOTE_READ).fill(2);
    private final RawMemory alien;
    private final List<RawCq> cqs = new ArrayList<>();
    private final List<RawPair> pairs = new ArrayList<>();
    private final List<RawPool> pools = new ArrayList<>();
    private final HcaUar otherPage = rig.nic().allocateUar();
    private final NewerTransports newer;

    Attack(long seed) {
      random = new Random(seed);
      // Memory of another domain, which no queue pair here may reach with any key.
      try (Rig unused = Rigs.open()) {
        alien = unused.memory(MEMORY_BYTES).fill(3);
      }
      pools.add(new RawPool(rig, false, 3));
      pools.add(new RawPool(rig, true, 3));
      for (int i = 0; i < PAIRS; i++) {
        pairs.add(pair());
      }
      newer = new NewerTransports(rig, random, memory);
    }

    private RawPair pair() {
      RawCq cq = rig.cq(3 + random.nextInt(4));
      cqs.add(cq);
      RawQpPlan plan = new RawQpPlan(cq).sizes(random.nextInt(6), 3, 4 + random.nextInt(3));
      if (random.nextInt(3) == 0) {
        plan.pool(pools.get(random.nextInt(2)));
      }
      if (random.nextBoolean()) {
        plan.uar(otherPage);
      }
      RawCq second = rig.cq(4);
      cqs.add(second);
      Settings settings =
          new Settings()
              .mtu(1 + random.nextInt(5))
              .timeout(1 + random.nextInt(4))
              .retryCount(random.nextInt(8))
              .rnrRetry(random.nextInt(8))
              .reads(random.nextInt(5), random.nextInt(5));
      int service = random.nextInt(3);
      return RawPair.connect(
          rig.qp(plan.service(service)), rig.qp(new RawQpPlan(second).service(service)), settings);
    }

    void run() {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < EVENTS; i++) {
        strike();
        rig.settle(STEPS_TO_REST);
        if (random.nextInt(4) == 0) {
          rig.clock().advance(1L << random.nextInt(32));
          rig.settle(STEPS_TO_REST);
        }
      }
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated / EVENTS).isLessThan(ALLOCATED_BYTES_PER_EVENT);
      expectNothingElseTouched();
      newer.expectCanariesAndEnd();
      expectService();
      rig.close();
    }

    private RawQp anyQp() {
      if (random.nextBoolean()) {
        return newer.senders().get(random.nextInt(newer.senders().size()));
      }
      RawPair pair = pairs.get(random.nextInt(PAIRS));
      return random.nextBoolean() ? pair.left() : pair.right();
    }

    private void strike() {
      RawQp qp = anyQp();
      RawCq cq = cqs.get(random.nextInt(cqs.size()));
      switch (random.nextInt(18)) {
        case 0, 1, 2 -> qp.post(validWqe(qp));
        case 3 -> {
          newer.receive();
          if (qp.hasReceives()) {
            qp.receive(anyAddress(), random.nextInt(2 * MEMORY_BYTES), memory.key());
          }
        }
        case 4 -> spoilWqe(qp);
        case 5 -> {
          qp.writeBytes(qp.index(), randomBytes(1 + random.nextInt(16)));
          qp.skip(1 + random.nextInt(4));
          qp.writeRecord();
          qp.ring(qp.index() - 1);
        }
        case 6 -> {
          qp.writeRecord(random.nextInt());
          qp.ring(qp.index());
        }
        case 7 -> qp.writeReceiveRecord(random.nextInt());
        case 8 -> {
          long page = random.nextBoolean() ? rig.uar().address() : otherPage.address();
          Memory.putLong(page + 8L * random.nextInt(Uar.PAGE_BYTES / 8), random.nextLong());
        }
        case 9 -> spoilReceive(qp);
        case 10 -> Memory.putInt(cq.record() + DoorbellRecord.CQ_SET_CI, random.nextInt());
        case 11 -> {
          Memory.putInt(cq.record() + DoorbellRecord.CQ_ARM, random.nextInt());
          cq.ring(CqArm.register(random.nextInt(), cq.number()));
        }
        case 12 -> Memory.putLong(cq.entry(random.nextInt()) + 56, random.nextLong());
        case 13 -> pools.get(random.nextInt(2)).writeRecord(random.nextInt());
        case 14 ->
            pools
                .get(random.nextInt(2))
                .write(
                    random.nextInt(8),
                    random.nextInt(),
                    random.nextBoolean() ? anyAddress() : random.nextLong(),
                    random.nextInt(),
                    random.nextBoolean() ? anyKey() : random.nextInt());
        case 15 -> blueFlame(qp);
        case 16 -> arm(cq);
        default -> revive();
      }
    }

    /**
     * Fills a BlueFlame buffer of either page with a WQE of the queue, some words of which may be
     * random.
     */
    private void blueFlame(RawQp qp) {
      long page = random.nextBoolean() ? rig.uar().address() : otherPage.address();
      long buffer = page + Uar.BLUEFLAME + random.nextInt(4) * (long) Uar.BLUEFLAME_BUFFER_BYTES;
      int index = random.nextBoolean() ? qp.write(validWqe(qp)) : qp.index() - 1;
      if (random.nextBoolean()) {
        qp.writeRecord();
      }
      boolean spoiled = random.nextBoolean();
      int words = 1 + random.nextInt(Uar.BLUEFLAME_BUFFER_BYTES / 8);
      for (int i = words - 1; i >= 0; i--) {
        long word = Memory.getLong(qp.wqebb(index) + 8L * (i & 7));
        Memory.putLongRelease(
            buffer + 8L * i, spoiled && random.nextInt(4) == 0 ? random.nextLong() : word);
      }
    }

    /**
     * Arms a CQ with a command that is right except for its doorbell, its record or its sequence.
     */
    private void arm(RawCq cq) {
      int command = CqArm.record(random.nextInt(4), random.nextBoolean(), random.nextInt());
      if (random.nextInt(4) > 0) {
        cq.writeArmRecord(command);
      }
      cq.ring(CqArm.register(command, random.nextInt(4) > 0 ? cq.number() : anyQp().number()));
    }

    private Wqe validWqe(RawQp of) {
      if (newer.senders().contains(of) && random.nextInt(8) > 0) {
        return newer.request(of);
      }
      int offset = random.nextInt(MEMORY_BYTES / 2);
      int bytes = random.nextInt(4) == 0 ? random.nextInt(MEMORY_BYTES / 2) : random.nextInt(64);
      return switch (random.nextInt(8)) {
        case 0 -> Wqe.send().data(memory, offset, bytes);
        case 1 -> Wqe.write(memory, offset).data(readOnly, 0, bytes);
        case 2 -> Wqe.read(readOnly, offset).data(memory, 0, bytes);
        case 3 -> Wqe.fetchAndAdd(memory, offset & ~7, 1).data(memory, 0, 8);
        case 4 -> Wqe.write(memory, offset).inline(new byte[random.nextInt(100)]);
        case 5 -> Wqe.datagram(anyQp(), random.nextInt(2)).data(memory, offset, bytes);
        case 6 -> Wqe.datagram(anyQp(), random.nextInt(3)).inline(new byte[random.nextInt(100)]);
        default ->
            new Wqe(WqeOpcode.RDMA_WRITE_IMM)
                .remote(memory.address(offset), memory.key())
                .data(memory, 0, bytes);
      };
    }

    /** Posts a valid WQE with some bits flipped, sometimes with index and QPN kept. */
    private void spoilWqe(RawQp qp) {
      int index = qp.write(validWqe(qp));
      for (int flips = 1 + random.nextInt(6); flips > 0; flips--) {
        // Also in the second WQEBB, if there is one.
        int place = random.nextBoolean() ? random.nextInt(16) : random.nextInt(128);
        long at = qp.wqebb(index + place / 64) + place % 64;
        Memory.putByte(at, (byte) (Memory.getByte(at) ^ 1 << random.nextInt(8)));
      }
      if (random.nextBoolean()) {
        long first = Memory.getLong(qp.wqebb(index));
        Memory.putLong(
            qp.wqebb(index),
            ControlSegment.first(
                ControlSegment.opmod(first),
                index,
                ControlSegment.opcode(first),
                qp.number(),
                ControlSegment.ds(first)));
      }
      qp.writeRecord();
      qp.ring(index);
    }

    private void spoilReceive(RawQp qp) {
      if (qp.hasReceives()) {
        long at = qp.receiveWqe(random.nextInt(8));
        Memory.putLong(at, random.nextLong());
        Memory.putLong(at + 8, random.nextBoolean() ? anyAddress() : random.nextLong());
      }
    }

    private byte[] randomBytes(int wqebbs) {
      byte[] bytes = new byte[64 * wqebbs];
      random.nextBytes(bytes);
      return bytes;
    }

    private long anyAddress() {
      return memory.address(random.nextInt(3 * MEMORY_BYTES) - MEMORY_BYTES);
    }

    private int anyKey() {
      return random.nextBoolean() ? memory.key() : readOnly.key();
    }

    /** Resets and reconnects a pair, most of which have failed after a while. */
    private void revive() {
      if (random.nextBoolean()) {
        newer.revive();
        return;
      }
      RawPair pair = pairs.get(random.nextInt(PAIRS));
      pair.left().reset();
      pair.right().reset();
      pair.left().sends().poll();
      pair.right().sends().poll();
      RawPair.connect(pair.left(), pair.right(), new Settings().rnrRetry(random.nextInt(8)));
    }

    private void expectNothingElseTouched() {
      for (RawMemory each : List.of(memory, readOnly, alien)) {
        each.expectCanaries();
      }
      try (Rig fresh = Rigs.open()) {
        assertThat(readOnly.bytes()).isEqualTo(fresh.memory(MEMORY_BYTES).fill(2).bytes());
        assertThat(alien.bytes()).isEqualTo(fresh.memory(MEMORY_BYTES).fill(3).bytes());
      }
      cqs.forEach(RawCq::expectCanaries);
      pools.forEach(RawPool::expectCanaries);
      pairs.forEach(pair -> pair.left().expectCanaries());
      pairs.forEach(pair -> pair.right().expectCanaries());
    }

    private void expectService() {
      RawPair pair = rig.pair();
      RawMemory target = rig.memory(MEMORY_BYTES);
      pair.right().receive(target.address(0), MEMORY_BYTES, target.key());
      pair.left().post(Wqe.send().data(memory, 0, MEMORY_BYTES));
      rig.settle(STEPS_TO_REST);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
      assertThat(target.bytes()).isEqualTo(memory.bytes());
      assertThat(pair.left().query().getInt(Qpc.STATE)).isEqualTo(3);
    }
  }
}
