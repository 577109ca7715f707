package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The device's descriptions of waiting requests. */
class WaitingTest {
  private final Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  private String line(RawQp qp) {
    return rig.nic().diagnosis().orElseThrow().objects().stream()
        .filter(line -> line.startsWith("QP 0x%x:".formatted(qp.number())))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRequestThatWaitsForTheReceiverSaysForHowLong() {
    RawPair pair = rig.pair();
    pair.left().post(Wqe.send());
    rig.settle();
    assertThat(line(pair.left()))
        .contains(
            ", WQE 0 (SEND, PSN ",
            "waits for the receiver, which had no receive WQE posted, and is sent again in ")
        .endsWith(" µs");
  }

  @Test
  void aRequestWhoseWaitIsOverIsSentAgainNow() {
    RawPair pair = rig.pair();
    pair.left().post(Wqe.send());
    rig.settle();
    rig.clock().advance(1_000_000);
    assertThat(line(pair.left())).endsWith(" had no receive WQE posted, and is sent again now");
  }

  @Test
  void aRequestThatWaitsForItsAnswerSaysWhatIsLeft() {
    RawQp lonely = rig.qp(rig.cq(4));
    lonely.connect(0x777, new Settings().timeout(10).retryCount(3));
    lonely.post(Wqe.send());
    rig.settle();
    assertThat(line(lonely))
        .endsWith("waits for its answer, with 3 of 3 retries left and an ACK timeout of 4,194 µs");
    RawQp patient = rig.qp(rig.cq(4));
    patient.connect(0x777, new Settings().timeout(0));
    patient.post(Wqe.send());
    rig.settle();
    assertThat(line(patient)).endsWith("waits for its answer, with no ACK timeout, so forever");
  }

  @Test
  void aRecordInTheWrongByteOrderIsShown() {
    RawQp qp = rig.pair().left();
    qp.write(Wqe.nop());
    Memory.putIntRelease(qp.record() + DoorbellRecord.SEND, Integer.reverseBytes(1));
    rig.settle();
    assertThat(line(qp))
        .contains(
            "send counter in the doorbell record: its bytes are in the wrong order: 0x1000000"
                + " reversed is 1");
  }

  @Test
  void aRecordWithoutADoorbellIsShown() {
    RawQp qp = rig.pair().left();
    qp.write(Wqe.nop());
    qp.writeRecord();
    rig.settle();
    assertThat(line(qp))
        .contains(
            "send index 0, producer index 0, send counter 1 in the doorbell record, for which no"
                + " doorbell has come");
  }

  @Test
  void aDoorbellThatTheDeviceHasNotReadIsShownAsRung() {
    RawPair pair = rig.pair();
    pair.left().post(Wqe.nop());
    pair.right().write(Wqe.nop());
    pair.right().writeRecord();
    assertThat(line(pair.left()))
        .contains(
            "send index 0, producer index 0, send counter 1 in the doorbell record, whose doorbell"
                + " rang, but the device has not run since (with engine=poll it runs while the"
                + " application polls or waits)");
    assertThat(line(pair.right()))
        .as("only the other one rang")
        .contains("send counter 1 in the doorbell record, for which no doorbell has come");
    rig.settle();
    assertThat(line(pair.left())).contains("send index 1, producer index 1").doesNotContain("rang");
  }

  @Test
  void anOlderDoorbellThatTheDeviceHasNotReadDoesNotHideAForgottenOne() {
    RawPair pair = rig.pair();
    pair.left().post(Wqe.nop());
    pair.left().write(Wqe.nop());
    pair.left().writeRecord();
    assertThat(line(pair.left()))
        .contains("send counter 2 in the doorbell record, for which no doorbell has come");
  }
}
