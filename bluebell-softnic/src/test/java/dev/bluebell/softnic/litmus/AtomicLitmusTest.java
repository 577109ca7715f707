package dev.bluebell.softnic.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.litmus.Duel;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The device and an application thread change the same counter, and no change is lost. */
@Isolated
class AtomicLitmusTest {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final int ROUNDS = Integer.getInteger("bluebell.litmus.rounds", 20_000);

  /** FETCH_ADDs between two polls. */
  private static final int BATCH = 16;

  private static final int BATCHES = ROUNDS / BATCH;

  /** The thread's addend, which distinguishes its changes from the device's. */
  private static final long OF_THREAD = 1L << 32;

  private final Rig rig = Rigs.open();
  private final RawMemory counter = rig.memory(8);
  private final RawMemory results = rig.memory(8 * BATCH);
  private final RawQp queuePair = rig.qp(new RawQpPlan(rig.cq(6)).sizes(6, 3, 4));
  private volatile boolean stop;
  private volatile boolean begun;
  private int added;

  AtomicLitmusTest() {
    queuePair.connect(queuePair.number(), new Settings());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void additionsOfTheDeviceAndOfAThreadAreAllCounted() throws InterruptedException {
    whileAdding(0, this::fetchAndAdd);
    assertThat(counter.getLong(0)).isEqualTo(added * OF_THREAD + (long) BATCHES * BATCH);
  }

  private void fetchAndAdd() {
    for (int round = 0; round < BATCHES; round++) {
      for (int i = 0; i < BATCH; i++) {
        queuePair.post(Wqe.fetchAndAdd(counter, 0, 1).data(results, 8L * i, 8));
      }
      settle(BATCH);
      for (int i = 0; i < BATCH; i++) {
        assertThat((int) results.getLong(8L * i)).isEqualTo(round * BATCH + i);
      }
    }
  }

  @Test
  void swapsOfTheDeviceLoseNoAdditionOfAThread() throws InterruptedException {
    int[] swapped = {0};
    whileAdding(50, () -> swapped[0] = compareAndSwap());
    assertThat(counter.getLong(0)).isEqualTo(added * OF_THREAD + swapped[0]);
  }

  /** Adds 1 by compare and swap; returns how often that succeeded. */
  private int compareAndSwap() {
    int swapped = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seen = (long) LONG.getVolatile(counter.segment(), 0L);
      queuePair.post(
          new Wqe(WqeOpcode.ATOMIC_CS)
              .remote(counter.address(0), counter.key())
              .words(seen + 1, seen)
              .data(results, 0, 8));
      settle(1);
      swapped += results.getLong(0) == seen ? 1 : 0;
    }
    return swapped;
  }

  /** Lets the device execute requests while a thread adds. */
  private void whileAdding(int pause, Runnable device) throws InterruptedException {
    Duel.assumeSeveralProcessors();
    Thread adder = Thread.ofPlatform().name("adder").start(() -> add(pause));
    try {
      while (!begun) {
        Thread.onSpinWait();
      }
      device.run();
    } finally {
      stop = true;
      adder.join();
    }
  }

  private void add(int pause) {
    while (!stop && added < Integer.MAX_VALUE) {
      LONG.getAndAdd(counter.segment(), 0L, OF_THREAD);
      added++;
      begun = true;
      for (int i = 0; i < pause; i++) {
        Thread.onSpinWait();
      }
    }
  }

  private void settle(int requests) {
    rig.settle();
    queuePair.sends().poll(requests).forEach(cqe -> cqe.require(CqeOpcode.REQ, cqe.wqeCounter()));
  }
}
