package dev.bluebell.softnic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A strict device, which loses every doorbell that a card may lose. */
class StrictDoorbellsTest {
  private final Rig rig = Rigs.openStrict();

  @AfterEach
  void close() {
    rig.close();
  }

  private RawQp selfConnected() {
    RawQp qp = rig.qp(rig.cq(6));
    qp.connect(qp.number(), new Settings());
    rig.settle();
    return qp;
  }

  private void ring(RawQp qp, int index, int buffer) {
    long register = rig.uar().address() + Uar.BLUEFLAME;
    Memory.putLongRelease(
        register + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES, Memory.getLong(qp.wqebb(index)));
    rig.settle();
  }

  private int post(RawQp qp) {
    int index = qp.write(Wqe.nop());
    qp.writeRecord();
    return index;
  }

  @Test
  void eachSecondDoorbellInTheSameBufferIsLostAndExplained() {
    RawQp qp = selfConnected();
    ring(qp, post(qp), 0);
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    ring(qp, post(qp), 0);
    assertThat(qp.sends().peek()).isEmpty();
    assertThat(rig.explanation())
        .contains(
            "a doorbell of QP 0x%x for WQE 1 is lost".formatted(qp.number()),
            "written to buffer 0",
            "should have been written to buffer 1");
    ring(qp, post(qp), 0);
    qp.sends().poll(2);
  }

  @Test
  void aDoorbellBeforeRtsIsLost() {
    RawQp qp = rig.qp(rig.cq(6));
    ring(qp, post(qp), 0);
    assertThat(rig.explanation()).contains("rang too early", "RST", "the doorbell is lost");
    qp.reset();
    qp.connect(qp.number(), new Settings());
    rig.settle();
    assertThat(qp.sends().peek()).isEmpty();
    ring(qp, post(qp), 1);
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void doorbellsInVainAreNotAllExplained() {
    RawQp qp = rig.qp(rig.cq(6));
    int index = post(qp);
    for (int i = 0; i < 1000; i++) {
      ring(qp, index, i & 1);
    }
    assertThat(rig.explanations())
        .filteredOn(line -> line.contains("rang too early"))
        .hasSizeBetween(64, 70);
  }

  private void writeForeign(int buffer) {
    // The first 8 bytes of a receive WQE: its length, and a key.
    Memory.putLongRelease(
        rig.uar().address() + Uar.BLUEFLAME + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES,
        64L << Integer.SIZE | 0x1000);
  }

  @Test
  void aForeignValueOverADoorbellLosesNothing() {
    RawQp qp = selfConnected();
    int index = post(qp);
    Memory.putLongRelease(rig.uar().address() + Uar.BLUEFLAME, Memory.getLong(qp.wqebb(index)));
    writeForeign(0);
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.explanations())
        .anyMatch(
            line ->
                line.contains("names QP 0x10 (qpn in bytes 4–6), which this client does not have"));
  }

  @Test
  void aForeignValueInTheOtherBufferCountsAsAlternation() {
    RawQp qp = selfConnected();
    for (int i = 0; i < 8; i++) {
      ring(qp, post(qp), 0);
      qp.sends().pollOne().require(CqeOpcode.REQ, i);
      writeForeign(1);
      rig.settle();
    }
  }

  @Test
  void aDoorbellThatIsLostIsNotFoundByALookThatAForeignValueCauses() {
    RawQp qp = selfConnected();
    ring(qp, post(qp), 0);
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    ring(qp, post(qp), 0);
    writeForeign(2);
    rig.settle();
    assertThat(qp.sends().peek()).isEmpty();
    ring(qp, post(qp), 1);
    qp.sends().poll(2);
  }

  @Test
  void aDoorbellOfAManagedQueueStartsNothingAndIsExplained() {
    RawQp managed = rig.qp(new RawQpPlan(rig.cq(6)).managedSends());
    managed.connect(managed.number(), new Settings());
    RawQp master = rig.qp(new RawQpPlan(rig.cq(6)).master());
    master.connect(master.number(), new Settings());
    ring(managed, post(managed), 0);
    assertThat(managed.sends().peek()).isEmpty();
    assertThat(rig.explanation())
        .contains(
            "a doorbell of QP 0x%x rang".formatted(managed.number()),
            "managed (cd_slave_send)",
            "only a SEND_EN");
    master.post(Wqe.enableSends(managed, 1));
    rig.settle();
    managed.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void alternatingDoorbellsAreNotLost() {
    RawQp qp = selfConnected();
    for (int i = 0; i < 20; i++) {
      ring(qp, post(qp), i & 1);
      qp.sends().pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(rig.explanations()).isEmpty();
  }

  @Test
  void queuePairsThatShareARegisterDoNotLoseEachOthersDoorbells() {
    RawQp first = selfConnected();
    RawQp second = selfConnected();
    for (int i = 0; i < 4; i++) {
      ring(first, post(first), 0);
      first.sends().pollOne().require(CqeOpcode.REQ, i);
      ring(second, post(second), 0);
      second.sends().pollOne().require(CqeOpcode.REQ, i);
    }
  }

  @Test
  void onlyRungRequestsAreStarted() {
    RawQp rung = selfConnected();
    RawQp hidden = selfConnected();
    post(hidden);
    ring(rung, post(rung), 0);
    rung.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(hidden.sends().peek()).isEmpty();
    ring(hidden, 0, 1);
    hidden.sends().pollOne().require(CqeOpcode.REQ, 0);
  }
}
