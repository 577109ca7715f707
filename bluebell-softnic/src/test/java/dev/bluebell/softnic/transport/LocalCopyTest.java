package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MMO copies between two local keys, on a queue pair that INIT2INIT_QP allowed it to. */
class LocalCopyTest {
  /** More bytes than one turn copies. */
  private static final int BYTES = 700_000;

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(BYTES).fill(5);
  private final RawMemory target = rig.memory(BYTES);
  private final RawMemory opaque = rig.memory(64);
  private final RawQp qp = connected(true);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  private RawQp connected(boolean... allowances) {
    RawQp made = rig.qp(rig.cq(6));
    made.connect(made.number(), new Settings(), allowances);
    return made;
  }

  private Wqe copy() {
    return new Wqe(WqeOpcode.MMO).opmod(WqeForm.MMO_DMA).words(opaque.key(), opaque.address(0));
  }

  private RawCqe run(Wqe wqe) {
    return run(qp, wqe);
  }

  private RawCqe run(RawQp on, Wqe wqe) {
    on.post(wqe);
    rig.settle();
    return on.sends().pollOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65_536, BYTES})
  void aCopyMovesItsBytes(int bytes) {
    RawCqe done = run(copy().data(source, 0, bytes).data(target, 0, bytes));
    assertThat(done.require(CqeOpcode.REQ, 0).sendOpcode()).isEqualTo(WqeOpcode.MMO);
    assertThat(done.byteCount()).isZero();
    assertThat(target.bytes(0, bytes)).isEqualTo(source.bytes(0, bytes));
    assertThat(Arrays.copyOfRange(target.bytes(), bytes, BYTES)).isEqualTo(new byte[BYTES - bytes]);
    assertThat(opaque.bytes()).containsOnly(0);
  }

  @Test
  void copiesAndRequestsCompleteInOrder() {
    int fenced = ControlSegment.CE_ALWAYS | ControlSegment.FENCE_STRONG;
    qp.post(Wqe.write(target, 0).data(source, 0, 8));
    qp.post(copy().control(fenced).data(target, 0, 8).data(target, 64, 8));
    qp.post(Wqe.write(target, 128).data(target, 64, 8));
    rig.settle();
    List<RawCqe> done = qp.sends().poll(3);
    for (int i = 0; i < 3; i++) {
      done.get(i).require(CqeOpcode.REQ, i);
    }
    assertThat(target.bytes(128, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void anUnsignalledCopyMakesNoCompletion() {
    qp.post(copy().unsignalled().data(source, 0, 8).data(target, 0, 8));
    rig.settle();
    assertThat(qp.sends().peek()).isEmpty();
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void aQueuePairWithoutMmoRefusesACopy() {
    run(connected(), copy().data(source, 0, 8).data(target, 0, 8))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "opcode MMO needs mmo", "INIT2INIT_QP");
    assertThat(target.bytes(0, 8)).containsOnly(0);
  }

  @Test
  void theAllowanceEndsWithAReset() {
    qp.reset();
    qp.connect(qp.number(), new Settings());
    run(copy().data(source, 0, 8).data(target, 0, 8))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "opcode MMO needs mmo");
  }

  @Test
  void theAllowanceCanBeTakenBack() {
    run(connected(true, false), copy().data(source, 0, 8).data(target, 0, 8))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "opcode MMO needs mmo");
  }

  @Test
  void aSourceThatItsKeyDoesNotHoldIsRefused() {
    run(copy().data(source, BYTES - 4, 8).data(target, 0, 8))
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, "data segment 0 (byte_count 8)");
  }

  @Test
  void aTargetThatIsNotWritableIsRefusedBeforeAByteIsCopied() {
    RawMemory closed = rig.memory(64, HcaAccess.REMOTE_READ);
    run(copy().data(source, 0, 64).data(closed, 0, 64))
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, "does not grant LOCAL_WRITE");
    assertThat(closed.bytes()).containsOnly(0);
  }

  @Test
  void anUnknownKeyOfTheOpaqueMemoryIsRefused() {
    Wqe wqe = new Wqe(WqeOpcode.MMO).opmod(WqeForm.MMO_DMA).words(0x7700, 0);
    run(wqe.data(source, 0, 8).data(target, 0, 8))
        .requireError(
            Syndrome.LOCAL_PROT_ERR, 0, "the opaque memory of the operation: lkey 0x7700");
  }

  @Test
  void differentLengthsAndMissingSegmentsAreRefused() {
    String sentence = "opcode MMO needs exactly two data segments with the same byte_count";
    for (Wqe wrong :
        List.of(
            copy().data(source, 0, 8).data(target, 0, 9),
            copy().data(source, 0, 8),
            copy(),
            copy().inline(new byte[8]).inline(new byte[8]))) {
      run(connected(true), wrong).requireError(Syndrome.LOCAL_LENGTH_ERR, 0, sentence);
    }
    run(copy().data(0, 0, source.key()).data(0, 0, target.key()))
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "byte_count 0 means 2 GiB");
  }

  @Test
  void moreThanOneGigabyteIsRefused() {
    int bytes = (1 << 30) + 1;
    run(copy()
            .data(source.address(0), bytes, source.key())
            .data(target.address(0), bytes, target.key()))
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "1073741825");
  }

  @Test
  void otherOperationsAreRefused() {
    run(copy().opmod(WqeForm.MMO_COMPRESS).data(source, 0, 8).data(target, 0, 8))
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR, 0, "opmod 2 is not valid for opcode MMO here; it must be 1");
  }

  // ---- initiators of dynamic connections

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void anInitiatorCopiesToo(int logStreams) {
    RawDct dct = new RawDct(rig, rig.cq(4), new RawPool(rig, false, 2));
    RawQp initiator =
        rig.qp(
            new RawQpPlan(rig.cq(6))
                .initiator()
                .sizes(6, 0, 4)
                .change(context -> context.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, logStreams)));
    initiator.connect(0, new Settings().mtu(3), true);
    run(initiator, copy().stream(1).data(source, 0, 64).data(target, 0, 64))
        .require(CqeOpcode.REQ, 0);
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE, dct)
            .remote(target.address(64), target.key())
            .data(target, 0, 64)
            .stream(1));
    initiator.post(copy().stream(1).data(target, 64, 64).data(target, 128, 64));
    rig.settle();
    assertThat(initiator.sends().poll(2)).extracting(RawCqe::wqeCounter).containsExactly(1, 3);
    assertThat(target.bytes(128, 64)).isEqualTo(source.bytes(0, 64));
    initiator.reset();
    initiator.connect(0, new Settings().mtu(3));
    run(initiator, copy().stream(1).data(source, 0, 64).data(target, 0, 64))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "does not have");
  }
}
