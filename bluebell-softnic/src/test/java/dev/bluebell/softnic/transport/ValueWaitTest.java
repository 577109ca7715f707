package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WAITs for memory and for the clock. */
class ValueWaitTest extends CrossChannels {
  private static final long ALL = -1;

  /** More than are looked at in one go. */
  private static final int CROWD = 300;

  private final RawQp master = master();

  private Wqe data(int operation, long offset, long value, long mask) {
    return Wqe.awaitValue(
        WqeForm.WAIT_ON_DATA, operation, memory.key(), memory.address(offset), value, mask);
  }

  private static Wqe time(int operation, long value, long mask) {
    return Wqe.awaitValue(WqeForm.WAIT_ON_TIME, operation, 0, 0, value, mask);
  }

  private void put(long offset, long value) {
    memory.put(offset, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private void expectHeld() {
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
  }

  private void expectGone() {
    rig.settle();
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 5, 4, 5",
    "2, 5, 5, 4",
    "3, 5, 5, 6",
    "4, 5, 5, 4",
    "4, 1, 2, -1",
    "5, 5, 5, 6",
    "5, -1, -1, 0",
    "0x11, 5, 5, 4",
    "0x12, 5, 4, 5",
    "0x13, 5, 6, 5",
    "2, -1, -1, 5",
    "0x15, 5, 6, 5"
  })
  void theQueueContinuesWhenTheComparisonHolds(String operation, long value, long held, long gone) {
    put(8, held);
    master.post(data(Integer.decode(operation), 8, value, ALL));
    expectHeld();
    put(8, gone);
    expectGone();
  }

  @Test
  void amongManyQueuesThatWaitEachIsFoundBeforeTheDeviceRests() {
    List<RawQp> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(loop(new RawQpPlan(rig.cq(0)).sizes(0, 0, 4)));
      crowd.getLast().post(data(WaitValueSegment.EQUAL, 8L * i, 1, ALL));
    }
    rig.settle();
    for (int i : new int[] {0, CROWD / 2, CROWD - 1}) {
      put(8L * i, 1);
      rig.settle();
      crowd.get(i).sends().pollOne().require(CqeOpcode.REQ, 0);
    }
  }

  @Test
  void conditionZeroIsAlwaysTrueAndItsOppositeNever() {
    master.post(data(WaitValueSegment.ALWAYS, 0, 0, 0));
    master.post(data(WaitValueSegment.INVERT, 0, 0, 0));
    expectGone();
    expectHeld();
    assertThat(rig.nic().diagnosis().orElseThrow().objects().toString())
        .contains("WQE 1 (WAIT) waits until 0x0 compares by operation 0x10 with the memory at 0x");
  }

  /** UCC waits on a queue pair from mlx5dv_create_qp, which has no cross-channel flag. */
  @Test
  void aQueuePairThatIsNotAMasterMayWaitForValues() {
    RawQp plain = loop(new RawQpPlan(rig.cq(6)));
    put(0, 4);
    plain.post(data(WaitValueSegment.EQUAL, 0, 5, ALL));
    plain.post(Wqe.nop());
    rig.settle();
    assertThat(plain.sends().poll()).isEmpty();
    put(0, 5);
    rig.settle();
    assertThat(plain.sends().poll(2).getFirst().require(CqeOpcode.REQ, 0).wqeCounter()).isZero();
    plain.post(time(WaitValueSegment.ALWAYS, 0, 0));
    rig.settle();
    plain.sends().pollOne().require(CqeOpcode.REQ, 2);
  }

  @Test
  void onlyMaskedBitsAreCompared() {
    put(0, 0x1234_5677);
    master.post(data(WaitValueSegment.EQUAL, 0, 0xff, 0xf));
    expectHeld();
    put(0, 0x888f);
    expectGone();
  }

  @Test
  void theHighestBitOfTheMaskIsTheSignOfACyclicComparison() {
    put(0, 0xf0);
    master.post(data(WaitValueSegment.CYCLIC_SMALLER, 0, 0xf1, 0xff));
    expectHeld();
    put(0, 0x02);
    expectGone();
  }

  @Test
  void aWaitOfDpdkEndsWhenTheClockHasPassedItsValue() {
    rig.clock().advance(1000);
    master.post(time(WaitValueSegment.CYCLIC_SMALLER, 5000, 0x0fff_ffff_ffff_ffffL));
    expectHeld();
    assertThat(rig.nic().step()).isZero();
    rig.pass(4000);
    expectHeld();
    assertThat(rig.nic().diagnosis().orElseThrow().objects().toString())
        .contains("with the device's clock");
    rig.pass(1);
    expectGone();
  }

  @Test
  void aWaitForTheClockMayUseAnotherCondition() {
    master.post(time(WaitValueSegment.INVERT | WaitValueSegment.BIGGER, 500, 0xfff));
    expectHeld();
    rig.pass(500);
    expectGone();
  }

  @Test
  void anUnreliableQueueWaitsForTheClockToo() {
    RawQp qp = loop(new RawQpPlan(rig.cq(4)).service(1).master());
    qp.post(time(WaitValueSegment.CYCLIC_SMALLER, 500, ALL));
    rig.settle();
    assertThat(qp.sends().poll()).isEmpty();
    rig.pass(501);
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void memoryOfAnotherProcessIsWaitedForToo() {
    OtherProcess process = new OtherProcess(rig, 64);
    int key = process.register(HcaAccess.ALL).lkey();
    master.post(
        Wqe.awaitValue(
            WqeForm.WAIT_ON_DATA, WaitValueSegment.EQUAL, key, OtherProcess.BASE, 1, ALL));
    expectHeld();
    process.put(7, new byte[] {1});
    expectGone();
  }

  @Test
  void memoryOfAnotherProcessThatIsGoneIsNamedAsGone() {
    OtherProcess process = new OtherProcess(rig, 64);
    int key = process.register(HcaAccess.ALL).lkey();
    process.protect(false, false);
    master.post(
        Wqe.awaitValue(
            WqeForm.WAIT_ON_DATA, WaitValueSegment.EQUAL, key, OtherProcess.BASE, 1, ALL));
    rig.settle();
    master
        .sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_PROT_ERR,
            0,
            "the process that registered lkey 0x%x no longer has such memory".formatted(key));
  }

  @Test
  void memoryThatTheKeyDoesNotGrantIsRefused() {
    master.post(data(WaitValueSegment.EQUAL, 1 << 20, 0, ALL));
    rig.settle();
    master.sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "lkey");
  }

  @Test
  void memoryWhoseKeyEndsMeanwhileIsRefused() {
    RawMemory gone = rig.memory(64);
    master.post(
        Wqe.awaitValue(
            WqeForm.WAIT_ON_DATA, WaitValueSegment.EQUAL, gone.key(), gone.address(0), 1, ALL));
    expectHeld();
    gone.registration().close();
    rig.settle();
    master.sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "lkey");
  }

  @Test
  void aConditionThatDoesNotExistIsRefused() {
    master.post(data(6, 0, 0, ALL));
    rig.settle();
    master
        .sends()
        .pollOne()
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "operation 0x6 is not valid");
  }

  @Test
  void aResetEndsTheWait() {
    master.post(data(WaitValueSegment.EQUAL, 0, 1, ALL));
    expectHeld();
    master.reset();
    put(0, 1);
    rig.settle();
    master.connect(master.number(), new Settings());
    master.post(Wqe.nop());
    expectGone();
  }
}
