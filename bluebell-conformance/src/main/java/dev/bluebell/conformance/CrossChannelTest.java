package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.WaitCondition;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Cross-channel queue pairs, which wait for and enable each other, and requests that others
 * rewrite.
 */
@Conformance
@Needs("cd")
class CrossChannelTest {
  private static final int WQEBB = 64;
  private static final int RDMA_WRITE = 0x08;
  private static final CompletionQueueOptions UNPOLLED =
      CompletionQueueOptions.DEFAULT.withIgnoreOverrun(true);
  private static final ValueLayout.OfShort INDEX =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** A device with cross-channel queue pairs, each connected to itself. */
  private static final class Rig {
    final Bench bench;
    final ProtectionDomain domain;
    final CompletionQueue masterCompletions;
    final CompletionQueue managedCompletions;
    final MasterQueuePair master;
    final ManagedQueuePair managed;
    final Buffer memory;

    Rig(Bench bench) {
      this.bench = bench;
      domain = bench.domain();
      Device device = bench.device();
      masterCompletions = device.createCompletionQueue(64);
      managedCompletions = device.createCompletionQueue(64);
      master = Bench.toItself(describe(domain, masterCompletions).create());
      managed = Bench.toItself(describe(domain, managedCompletions).managedSends().create());
      memory = new Buffer(domain.allocate(4096, Access.rights()));
    }

    static CrossChannelBuilder describe(ProtectionDomain domain, CompletionQueue completions) {
      return domain.rcQueuePair(completions).sendQueue(8).receiveQueue(4).crossChannel();
    }

    MasterQueuePair another(CompletionQueue completions) {
      return Bench.toItself(describe(domain, completions).create());
    }

    /** Posts a WRITE of 8 equal bytes into the memory. */
    void post(CrossChannelQueuePair queuePair, int offset, int value, long id) {
      byte[] bytes = new byte[8];
      Arrays.fill(bytes, (byte) value);
      queuePair.write(memory.remote(offset)).inline(bytes, 0, bytes.length).signaled(id);
    }

    void expect(int offset, int value) {
      assertThat(memory.getLong(offset)).isEqualTo(value * 0x0101010101010101L);
    }

    Done awaitMaster() {
      return bench.await(masterCompletions, 1).getFirst();
    }

    Done awaitManaged() {
      return bench.await(managedCompletions, 1).getFirst();
    }
  }

  // ---- waiting and enabling

  @Test
  void aManagedQueueExecutesOnlyEnabledRequests(Bench bench) {
    Rig rig = new Rig(bench);
    rig.post(rig.managed, 0, 1, 5);
    int first = rig.managed.nextWqebb();
    rig.post(rig.managed, 8, 2, 6);
    bench.expectCalm(rig.managedCompletions);
    rig.master.enableSends(rig.managed, first).signaled(1);
    rig.master.ringDoorbell();
    rig.awaitMaster().requireSuccess(1);
    rig.awaitManaged().requireSuccess(5);
    bench.expectCalm(rig.managedCompletions);
    rig.expect(0, 1);
    rig.expect(8, 0);
    rig.master.enableSends(rig.managed, rig.managed.nextWqebb()).unsignaled(2);
    rig.master.ringDoorbell();
    rig.awaitManaged().requireSuccess(6);
    rig.expect(8, 2);
    assertThat(rig.managed.freeWqebbs()).isEqualTo(rig.managed.sendQueueWqebbs());
  }

  @Test
  void manyLapsOfAManagedQueueAreEnabledOneByOne(Bench bench) {
    Rig rig = new Rig(bench);
    for (int i = 0; i < 100; i++) {
      rig.post(rig.managed, 0, i, i);
      rig.master.enableSends(rig.managed, rig.managed.nextWqebb()).signaled(i);
      rig.master.ringDoorbell();
      rig.awaitMaster().requireSuccess(i);
      rig.awaitManaged().requireSuccess(i);
      rig.expect(0, i & 0x7f);
    }
  }

  @Test
  void aWaitHoldsTheQueueUntilAnUnpolledCompletionQueueHasItsCompletions(Bench bench) {
    Rig rig = new Rig(bench);
    CompletionQueue unpolled = bench.device().createCompletionQueue(2, UNPOLLED);
    MasterQueuePair other = rig.another(unpolled);
    rig.master.waitFor(unpolled, 4).unsignaled(1);
    rig.post(rig.master, 0, 7, 2);
    rig.master.ringDoorbell();
    for (int i = 0; i < 4; i++) {
      other.nop().signaled(i);
    }
    other.ringDoorbell();
    bench.expectCalm(rig.masterCompletions);
    rig.expect(0, 0);
    if (bench.explains()) {
      String waits = "until CQ 0x%x has produced more than 4".formatted(unpolled.number());
      bench.until(() -> rig.master.diagnose().contains(waits), rig.master::diagnose);
    }
    other.nop().signaled(4);
    other.ringDoorbell();
    rig.awaitMaster().requireSuccess(2);
    rig.expect(0, 7);
  }

  @Test
  void aManagedReceiveQueueUsesOnlyEnabledRequests(Bench bench) {
    Rig rig = new Rig(bench);
    CompletionQueue receives = bench.device().createCompletionQueue(8);
    MasterQueuePair receiver =
        Bench.toItself(Rig.describe(rig.domain, receives).managedReceives().create());
    receiver.receive().scatter(rig.memory.region(), 0, 8).post(11);
    receiver.send().inline(new byte[] {1, 1, 1, 1, 1, 1, 1, 1}, 0, 8).unsignaled(3);
    receiver.ringDoorbell();
    bench.expectCalm(receives);
    rig.master.enableReceives(receiver, 1).signaled(1);
    rig.master.ringDoorbell();
    rig.awaitMaster().requireSuccess(1);
    bench.await(receives, 1).getFirst().requireSuccess(11);
    rig.expect(0, 1);
  }

  @Test
  void aWaitOnDataHoldsTheQueueUntilTheDataAreThere(Bench bench) {
    Rig rig = new Rig(bench);
    rig.master.waitForData(rig.memory.region(), 64, WaitCondition.EQUAL, 0x55, 0xff).unsignaled(1);
    rig.post(rig.master, 0, 7, 2);
    rig.master.ringDoorbell();
    bench.expectCalm(rig.masterCompletions);
    rig.expect(0, 0);
    rig.memory.putLong(64, Long.reverseBytes(0x1234_0055));
    rig.awaitMaster().requireSuccess(2);
    rig.expect(0, 7);
  }

  @Test
  void aWaitOnTimeHoldsTheQueueUntilThen(Bench bench) {
    Rig rig = new Rig(bench);
    long then = bench.device().clock() + bench.device().attributes().clockKilohertz() * 20;
    rig.master.waitForTime(WaitCondition.CYCLIC_SMALLER, then, -1).signaled(1);
    rig.master.ringDoorbell();
    rig.awaitMaster().requireSuccess(1);
    assertThat(bench.device().clock()).isGreaterThanOrEqualTo(then);
  }

  @Test
  void queuesOfOtherDomainsAreNotEnabled(Bench bench) {
    Rig rig = new Rig(bench);
    ProtectionDomain others = bench.domain();
    ManagedQueuePair strange =
        Bench.toItself(Rig.describe(others, rig.managedCompletions).managedSends().create());
    strange.nop().signaled(3);
    rig.master.enableSends(strange, 1).unsignaled(1);
    rig.master.ringDoorbell();
    rig.awaitMaster()
        .require(1, CompletionStatus.LOCAL_QP_OPERATION_ERROR)
        .requireExplained(bench, "protection domain", "QP 0x%x".formatted(strange.number()));
    bench.expectCalm(rig.managedCompletions);
  }

  // ---- queues as memory

  @Test
  void aSwapTurnsANopIntoARequestThatIsExecuted(Bench bench) {
    for (boolean equal : new boolean[] {true, false}) {
      Rig rig = new Rig(bench);
      MemoryRegion ring =
          rig.managed.sendQueueMemory(
              Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
      rig.post(rig.managed, 0, 7, 5);
      MemorySegment wqe = ring.segment();
      wqe.set(ValueLayout.JAVA_BYTE, 3, (byte) 0);
      long idle = wqe.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      wqe.set(ValueLayout.JAVA_BYTE, 3, (byte) RDMA_WRITE);
      long armed = wqe.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      wqe.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, idle);
      rig.master
          .compareAndSwap(ring.remote(), equal ? idle : armed, armed)
          .scatter(rig.memory.region(), 64)
          .signaled(1);
      rig.master.waitFor(rig.masterCompletions, 0).unsignaled(2);
      rig.master.enableSends(rig.managed, 1).unsignaled(3);
      rig.master.ringDoorbell();
      rig.awaitMaster().requireSuccess(1);
      rig.awaitManaged().requireSuccess(5);
      rig.expect(0, equal ? 7 : 0);
      ring.close();
    }
  }

  @Test
  void anInstalledProgramIsExecutedAgainWhenItsIndicesAreThoseOfTheNextLap(Bench bench) {
    Rig rig = new Rig(bench);
    MemoryRegion ring = rig.managed.sendQueueMemory();
    int wqebbs = rig.managed.sendQueueWqebbs();
    MemorySegment image = MemorySegment.ofArray(new byte[wqebbs * WQEBB]);
    for (int i = 0; i < wqebbs; i++) {
      // A NOP, signalled when it is the last one.
      image.set(WORD, (long) i * WQEBB, i << 8);
      image.set(WORD, (long) i * WQEBB + 4, rig.managed.number() << 8 | 1);
      image.set(WORD, (long) i * WQEBB + 8, i == wqebbs - 1 ? 8 : 0);
    }
    rig.managed.install(image);
    for (int lap = 0; lap < 5; lap++) {
      for (int i = 0; i < wqebbs; i++) {
        ring.segment().set(INDEX, (long) i * WQEBB + 1, (short) (lap * wqebbs + i));
      }
      rig.master.enableSends(rig.managed, (lap + 1) * wqebbs).signaled(lap);
      rig.master.ringDoorbell();
      rig.awaitMaster().requireSuccess(lap);
      rig.awaitManaged().requireSuccess(wqebbs - 1);
    }
    if (bench.explains()) {
      assertThat(rig.managed.diagnose()).contains("Its send queue holds a program");
    }
    ring.close();
  }

  @Test
  void aWriteToTheDoorbellRecordPostsKeptReceivesAgain(Bench bench) {
    Rig rig = new Rig(bench);
    MemoryRegion record = rig.master.receiveRecordMemory(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    int size = rig.master.receiveQueueRequests();
    for (int i = 0; i < size; i++) {
      rig.master.receive().scatter(rig.memory.region(), 8L * i, 8).post(100 + i);
    }
    rig.master.ringReceiveDoorbell();
    rig.master.keepReceives();
    for (int i = 0; i < 3 * size; i++) {
      byte[] more = HexFormat.of().parseHex("%08x".formatted(size + i + 1));
      rig.master.send().inline(new byte[] {9, 9, 9, 9, 9, 9, 9, 9}, 0, 8).unsignaled(i);
      rig.master.write(record.remote()).inline(more, 0, more.length).unsignaled(i);
      rig.master.nop().signaled(1000 + i);
      rig.master.ringDoorbell();
      assertThat(bench.await(rig.masterCompletions, 2))
          .extracting(Done::id)
          .containsExactlyInAnyOrder(100L + i % size, 1000L + i);
    }
    record.close();
  }
}
