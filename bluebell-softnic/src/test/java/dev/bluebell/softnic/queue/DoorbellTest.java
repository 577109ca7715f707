package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doorbell records and registers that are right, wrong, missing, or overwritten. */
class DoorbellTest {
  private final Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  private RawQp selfConnected(RawQpPlan plan) {
    RawQp qp = rig.qp(plan);
    qp.connect(qp.number(), new Settings());
    rig.settle();
    return qp;
  }

  private RawQp selfConnected() {
    return selfConnected(new RawQpPlan(rig.cq(6)));
  }

  @Test
  void aRecordWithoutADoorbellStartsNothing() {
    RawQp qp = selfConnected();
    qp.write(Wqe.nop());
    qp.writeRecord();
    rig.settle();
    assertThat(qp.sends().peek()).isEmpty();
    qp.ring(0);
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void incomingTrafficStartsNoUnrungRequest() {
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(64);
    pair.right().write(Wqe.nop());
    pair.right().writeRecord();
    pair.right().ringOn(1, 0);
    rig.settle();
    pair.right().sends().pollOne().require(CqeOpcode.REQ, 0);
    // From now on the device knows that the two ring on different registers.
    pair.right().write(Wqe.nop());
    pair.right().writeRecord();
    pair.left().post(Wqe.write(memory, 0).data(memory, 32, 8));
    pair.left().post(Wqe.read(memory, 0).data(memory, 32, 8));
    rig.settle();
    pair.left().sends().poll(2);
    assertThat(pair.right().sends().peek()).isEmpty();
    pair.right().ringOn(1, 1);
    rig.settle();
    pair.right().sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @Test
  void aDoorbellStartsNoQueuePairThatRingsOnAnotherRegister() {
    RawQp rung = selfConnected();
    RawQp forgetful = selfConnected();
    rung.post(Wqe.nop());
    forgetful.write(Wqe.nop());
    forgetful.writeRecord();
    forgetful.ringOn(1, 0);
    rig.settle();
    forgetful.sends().pollOne().require(CqeOpcode.REQ, 0);
    rung.sends().pollOne().require(CqeOpcode.REQ, 0);

    forgetful.write(Wqe.nop());
    forgetful.writeRecord();
    for (int i = 1; i < 4; i++) {
      rung.post(Wqe.nop());
      rig.settle();
      rung.sends().pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(forgetful.sends().peek()).isEmpty();
    assertThat(rig.explanations()).isEmpty();
    forgetful.ringOn(1, 1);
    rig.settle();
    forgetful.sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @Test
  void afterAQueueChangedItsRegisterOthersMayChangeTheirsToo() {
    RawQp changing = selfConnected();
    RawQp steady = selfConnected();
    for (int register = 0; register < Uar.BLUEFLAME_REGISTERS; register++) {
      changing.write(Wqe.nop());
      changing.writeRecord();
      changing.ringOn(register, register);
      rig.settle();
    }
    changing.sends().poll(2);
    steady.post(Wqe.nop());
    rig.settle();
    steady.sends().pollOne().require(CqeOpcode.REQ, 0);

    // The first doorbell of the other queue on register 1, which is overwritten at once.
    steady.write(Wqe.nop());
    steady.writeRecord();
    steady.ringOn(1, 1);
    changing.write(Wqe.nop());
    changing.writeRecord();
    changing.ringOn(1, 2);
    rig.settle();
    changing.sends().pollOne().require(CqeOpcode.REQ, 2);
    steady.sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @Test
  void doorbellsOfSeveralRegistersHideNothingOfTheQueuesThatRangOnThem() {
    RawQp rung = selfConnected();
    RawQp forgetful = selfConnected();
    forgetful.write(Wqe.nop());
    forgetful.writeRecord();
    forgetful.ringOn(1, 0);
    assertThat(rig.nic().step()).isPositive();
    // Before the sweep ends, a doorbell rings on the other register, and no other on this one.
    forgetful.write(Wqe.nop());
    forgetful.writeRecord();
    rung.post(Wqe.nop());
    rig.settle();
    rung.sends().pollOne().require(CqeOpcode.REQ, 0);
    forgetful.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.explanations()).isEmpty();
  }

  @Test
  void startsByASweepOfASharedRegisterAreCountedAndExplained() {
    RawQp rung = selfConnected();
    RawQp hidden = selfConnected();
    hidden.write(Wqe.nop());
    hidden.writeRecord();
    rung.post(Wqe.nop());
    rig.settle();
    rung.sends().pollOne().require(CqeOpcode.REQ, 0);
    hidden.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.explanation())
        .contains(
            "QP 0x%x got new requests (send counter 1)".formatted(hidden.number()),
            "whose own doorbell was not seen",
            "1 time so far");
    assertThat(rig.nic().diagnosis().orElseThrow().objects())
        .anyMatch(
            line ->
                line.startsWith("QP 0x%x".formatted(hidden.number()))
                    && line.endsWith("1 time started without its own doorbell"));
  }

  @Test
  void requestsFromBeforeAResetAreNotRunAgainByASweep() {
    RawQp reset = selfConnected();
    RawQp other = selfConnected();
    useAndReset(reset);
    // The record still counts the earlier requests, and another queue's doorbell starts a sweep.
    other.post(Wqe.nop());
    rig.settle();
    Memory.putLong(reset.record(), 0);
    reset.connect(reset.number(), new Settings());
    rig.settle();
    assertThat(reset.sends().peek()).isEmpty();
  }

  /** Posts a request, whose count stays in the record. */
  private void useAndReset(RawQp qp) {
    qp.post(Wqe.nop());
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    qp.object().modify(qp.transition(CommandOpcode.QP_2RST).bytes());
  }

  @Test
  void aRecordLeftOverFromBeforeAResetIsNotARequest() {
    RawQp reset = selfConnected();
    RawQp other = selfConnected();
    useAndReset(reset);
    reset.connect(reset.number(), new Settings());
    other.post(Wqe.nop());
    rig.settle();
    assertThat(reset.sends().peek()).isEmpty();
    assertThat(rig.explanation()).isEmpty();
    reset.ring(0);
    rig.settle();
    reset.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void anUnrungRequestIsNotFlushedEither() {
    RawQp qp = selfConnected();
    qp.write(Wqe.nop());
    qp.writeRecord();
    qp.toError();
    rig.settle();
    assertThat(qp.sends().peek()).isEmpty();
    qp.ring(0);
    rig.settle();
    qp.sends().pollOne().requireError(Syndrome.WR_FLUSH_ERR, 0);
  }

  @Test
  void theDeviceDoesNotWriteDoorbellRecords() {
    RawCq cq = rig.cq(4);
    assertThat(Memory.getLong(cq.record())).isZero();
    RawQp qp = rig.qp(new RawQpPlan(cq));
    qp.connect(qp.number(), new Settings());
    qp.post(Wqe.nop());
    rig.settle();
    assertThat(Memory.getLong(cq.record())).isZero();
    assertThat(Memory.getLong(qp.record())).isEqualTo(1);
  }

  @Test
  void oneDoorbellStartsAllRequestsThatTheRecordCounts() {
    RawQp qp = selfConnected();
    for (int i = 0; i < 16; i++) {
      qp.write(Wqe.nop());
    }
    qp.writeRecord();
    // It may name any WQE.
    qp.ring(3);
    rig.settle();
    assertThat(qp.sends().poll(16).getLast().wqeCounter()).isEqualTo(15);
    assertThat(rig.explanations()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 18, 1000, 32768, 65535})
  void aRecordThatIsTooFarAheadFailsTheQueue(int counter) {
    RawQp qp = selfConnected();
    qp.write(Wqe.nop());
    qp.writeRecord(counter);
    qp.ring(0);
    rig.settle();
    qp.sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR,
            0,
            "send counter %d".formatted(counter),
            "ahead of index 0",
            "has only 16");
    rig.settle();
    assertThat(qp.sends().peek()).isEmpty();
  }

  @Test
  void aRecordThatGoesBackIsARecordThatIsTooFarAhead() {
    RawQp qp = selfConnected();
    qp.post(Wqe.nop());
    qp.post(Wqe.nop());
    rig.settle();
    qp.sends().poll(2);
    qp.writeRecord(1);
    qp.ring(1);
    rig.settle();
    qp.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 2, "65535 WQEBBs ahead of index 2");
  }

  @Test
  void ringingForReceivesOnTheSendRegisterLosesNoSend() {
    RawQp qp = selfConnected();
    long register = rig.uar().address() + Uar.BLUEFLAME;
    for (int i = 0; i < 20; i++) {
      // A driver that alternates, and writes the start of a receive WQE after each send.
      qp.write(Wqe.nop());
      qp.writeRecord();
      Memory.putLongRelease(register, Memory.getLong(qp.wqebb(i)));
      Memory.putLongRelease(register + Uar.BLUEFLAME_BUFFER_BYTES, 64L << 32 | 0x1000);
      if (i % 3 == 0) {
        Memory.putLongRelease(register, 64L << 32 | 0x1000);
      }
      rig.settle();
      qp.sends().pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(rig.explanations())
        .anyMatch(line -> line.contains("a value that is not a doorbell was written"))
        .noneMatch(line -> line.contains("lost"));
  }

  @Test
  void theRingIsExecutedAndNotTheBlueFlameCopy() {
    RawQp qp = selfConnected();
    int index = qp.write(Wqe.nop());
    qp.writeRecord();
    long register = rig.uar().address() + Uar.BLUEFLAME;
    for (int i = 8; i < 64; i += 8) {
      Memory.putLong(register + i, -1);
    }
    Memory.putLongRelease(register, Memory.getLong(qp.wqebb(index)));
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void doorbellsThatOverwriteEachOtherOnManyPagesAreAllServed() {
    List<RawQp> qps = new ArrayList<>();
    for (int page = 0; page < 12; page++) {
      HcaUar uar = rig.nic().allocateUar();
      for (int i = 0; i < 20; i++) {
        qps.add(selfConnected(new RawQpPlan(rig.cq(4)).withoutReceives().uar(uar)));
      }
    }
    for (int round = 0; round < 3; round++) {
      qps.forEach(qp -> qp.post(Wqe.nop()));
      rig.settle();
      for (RawQp qp : qps) {
        qp.sends().pollOne().require(CqeOpcode.REQ, round);
      }
    }
  }

  @Test
  void aQueuePairThatIsNotReadyKeepsItsRequestsUntilItIs() {
    RawPair pair = new RawPair(rig.qp(rig.cq(4)), rig.qp(rig.cq(4)));
    Settings settings = new Settings();
    RawQp left = pair.left();
    left.post(Wqe.nop());
    rig.settle();
    left.object().modify(settings.toInit(left.number()).bytes());
    left.post(Wqe.nop());
    rig.settle();
    left.object().modify(settings.toRtr(left.number(), pair.right().number()).bytes());
    rig.settle();
    assertThat(left.sends().peek()).isEmpty();
    assertThat(rig.explanations())
        .anyMatch(line -> line.contains("for WQE 1 rang too early") && line.contains("in INIT"));
    left.object().modify(settings.toRts(left.number()).bytes());
    rig.settle();
    left.sends().poll(2);
  }

  @Test
  void theUpperHalfOfACounterIsIgnored() {
    RawQp qp = selfConnected();
    int index = qp.write(Wqe.nop());
    Memory.putIntRelease(qp.record() + 4, 0xabcd_0001);
    qp.ring(index);
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void countersWrapAt65536InARingOfTheLargestSize() {
    RawQp qp = selfConnected(new RawQpPlan(rig.cq(16)).sizes(15, 3, 4));
    for (int i = 0; i < 3; i++) {
      for (int n = 0; n < 32768; n++) {
        qp.write(Wqe.nop());
      }
      qp.writeRecord();
      qp.ring(qp.index() - 1);
      rig.settle();
      assertThat(qp.sends().poll(32768).getLast().wqeCounter())
          .isEqualTo((i + 1) * 32768 - 1 & 0xffff);
    }
  }
}
