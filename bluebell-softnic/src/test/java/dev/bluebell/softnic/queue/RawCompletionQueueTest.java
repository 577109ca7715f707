package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Completion queue entries, their owner bit, and overrun. */
class RawCompletionQueueTest {
  private final Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  private RawQp on(RawCq cq) {
    RawQp qp = rig.qp(new RawQpPlan(cq).sizes(6, 6, 4));
    qp.connect(qp.number(), new Settings());
    return qp;
  }

  @Test
  void anErrorHasASignatureAndBit1SoThatItsOpcodeIsFourBitsAlone() {
    RawCq cq = rig.cq(4);
    RawQp qp = on(cq);
    qp.post(new Wqe(0x7f));
    rig.settle();
    long last = Memory.getLong(cq.entry(0) + Cqe.LAST_WORD);
    assertThat(Cqe.SIGNATURE.getInt(last)).isNotZero();
    assertThat(Cqe.OP_OWN.getInt(last)).isEqualTo(0xd2);
    cq.pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "opcode");
  }

  private RawCq collapsed(boolean ignoreOverrun) {
    return new RawCq(
        rig, 2, rig.uar(), context -> context.set(Cqc.CC, true).set(Cqc.OI, ignoreOverrun));
  }

  @Test
  void everyCompletionOfACollapsedQueueReplacesTheFirstEntry() {
    RawCq cq = collapsed(true);
    RawQp qp = on(cq);
    long untouched = Memory.getLong(cq.entry(1) + Cqe.LAST_WORD);
    for (int i = 0; i < 20; i++) {
      qp.post(Wqe.nop());
      rig.settle();
      long last = Memory.getLong(cq.entry(0) + Cqe.LAST_WORD);
      assertThat(Cqe.opcode(last)).isEqualTo(CqeOpcode.REQ);
      assertThat(Cqe.wqeCounter(last)).isEqualTo(i);
      assertThat(Cqe.owner(last)).isEqualTo(i >> 2 & 1);
    }
    for (int i = 1; i < 4; i++) {
      assertThat(Memory.getLong(cq.entry(i) + Cqe.LAST_WORD)).isEqualTo(untouched);
    }
    assertThat(cq.query().getInt(Cqc.PRODUCER_COUNTER)).isEqualTo(20);
    assertThat(cq.query().isSet(Cqc.CC)).isTrue();
    cq.expectCanaries();
  }

  /** DPDK's vdpa driver counts the completions that it saw, and does not set oi. */
  @Test
  void aCollapsedQueueWithOverrunCheckHoldsAsManyCompletionsAsEntries() {
    RawCq cq = collapsed(false);
    RawQp qp = on(cq);
    for (int i = 0; i < 4; i++) {
      qp.post(Wqe.nop());
    }
    rig.settle();
    Memory.putIntRelease(cq.record() + DoorbellRecord.CQ_SET_CI, 4);
    qp.post(Wqe.nop());
    rig.settle();
    assertThat(Cqe.wqeCounter(Memory.getLong(cq.entry(0) + Cqe.LAST_WORD))).isEqualTo(4);
    for (int i = 0; i < 4; i++) {
      qp.post(Wqe.nop());
    }
    rig.settle();
    assertThat(cq.query().getInt(Cqc.STATUS)).isEqualTo(9);
    assertThat(Cqe.wqeCounter(Memory.getLong(cq.entry(0) + Cqe.LAST_WORD))).isEqualTo(7);
    cq.expectCanaries();
  }

  @Test
  void aCollapsedQueueRaisesEventsForCompletionsBeyondTheArmedIndex() {
    RawCq cq = collapsed(true);
    rig.subscribe(cq.object(), HcaEvent.COMPLETION);
    RawQp qp = on(cq);
    cq.arm(0, false);
    rig.settle();
    assertThat(rig.takeEvents()).isEmpty();
    qp.post(Wqe.nop());
    qp.post(Wqe.nop());
    rig.settle();
    assertThat(rig.takeEvents()).hasSize(1);
    cq.expectCanaries();
  }

  @Test
  void aFalseConsumerIndexCausesNoAccessOutsideTheRing() {
    RawCq cq = rig.cq(2);
    RawQp qp = on(cq);
    for (int i = 0; i < 40; i++) {
      Memory.putIntRelease(cq.record() + DoorbellRecord.CQ_SET_CI, 0x5a5a5a * i);
      qp.post(Wqe.nop());
      rig.settle();
    }
    cq.expectCanaries();
  }
}
