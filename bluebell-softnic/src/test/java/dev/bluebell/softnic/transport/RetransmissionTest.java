package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retransmission: which requests are sent again, when, and from which PSN on. */
class RetransmissionTest {
  /** The PSN of the second request is the last before the wrap. */
  private static final int PSN = 0xfffffe;

  private static final long TIMEOUT = 4096 << 3;
  private static final long TEN_MICROSECONDS = 10_000;
  private static final int MTU = 1024;
  private static final int BYTES = 4 * MTU + 904;

  private final Wire wire = new Wire();
  private final Rig rig = wire.open();
  private final RawPair pair = rig.pair(settings().retryCount(1).mtu(3));
  private final RawMemory local = rig.memory(BYTES).fill(1);
  private final RawMemory remote = rig.memory(BYTES).fill(2);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  private static Settings settings() {
    return new Settings().timeout(3).psn(PSN, PSN);
  }

  private static int psn(int ahead) {
    return PSN + ahead & 0xffffff;
  }

  private Wqe write(int offset) {
    return Wqe.write(remote, offset).data(local, offset, 8);
  }

  // ---- the timer

  @Test
  void theTimerRunsAFullIntervalAgainAfterSomeOfTheRequestsWereAcknowledged() {
    wire.loseAnswers(true);
    pair.left().post(write(0));
    pair.left().post(write(8));
    pair.left().post(write(16));
    rig.settle();
    rig.pass(TIMEOUT - 1);
    wire.acknowledgeLate(pair, PSN);
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    wire.forgetSent();
    rig.pass(TIMEOUT - 1);
    assertThat(wire.sentPsns()).isEmpty();
    rig.pass(1);
    assertThat(wire.sentPsns()).containsExactly(psn(1), psn(2));
  }

  @Test
  void aRepeatedAcknowledgementDoesNotRestartTheTimer() {
    pair.left().post(write(0));
    pair.left().post(write(8));
    rig.settle();
    pair.left().sends().poll(2);
    wire.loseAnswers(true);
    pair.left().post(write(16));
    rig.settle();
    rig.pass(TIMEOUT - 1);
    wire.acknowledgeLate(pair, PSN);
    wire.acknowledgeLate(pair, psn(1));
    wire.forgetSent();
    wire.loseAnswers(false);
    rig.pass(1);
    assertThat(wire.sentPsns()).containsExactly(psn(2));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 2);
  }

  // ---- READs that are resumed

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aReadIsResumedAtTheAnswerThatALaterOneShowsMissing(int lost) {
    wire.loseAnswer(psn(lost));
    pair.left().post(Wqe.read(remote, 0).data(local, 0, BYTES));
    rig.settle();
    expectResumed(lost);
  }

  @Test
  void aReadIsResumedAtItsLastAnswerWhenTheTimerShowsItMissing() {
    wire.loseAnswer(psn(4));
    pair.left().post(Wqe.read(remote, 0).data(local, 0, BYTES));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    rig.pass(TIMEOUT);
    expectResumed(4);
  }

  @Test
  void aReadIsResumedAsOftenAsAnAnswerIsShownMissing() {
    wire.loseAnswer(psn(1));
    wire.loseAnswer(psn(3));
    wire.loseAnswer(psn(3));
    pair.left().post(Wqe.read(remote, 0).data(local, 0, BYTES));
    rig.settle();
    assertThat(wire.sentPsns()).containsExactly(PSN, psn(1), psn(3));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(local.bytes()).isEqualTo(remote.bytes());
  }

  private void expectResumed(int packet) {
    int before = packet * MTU;
    assertThat(wire.sent())
        .containsExactly(
            new Wire.Sent(PSN, remote.address(0), BYTES),
            new Wire.Sent(psn(packet), remote.address(before), BYTES - before));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(local.bytes()).isEqualTo(remote.bytes());
  }

  // ---- the limit of outstanding READs

  @Test
  void aReadThatIsSentAgainCountsOnceAmongThoseUnderWay() {
    RawPair one = rig.pair(settings().reads(0, 4));
    wire.loseRequests(true);
    one.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    one.left().post(Wqe.read(remote, 8).data(local, 8, 8));
    rig.settle();
    wire.loseRequests(false);
    assertThat(wire.sentPsns()).containsExactly(PSN);
    rig.pass(TIMEOUT);
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN, psn(1));
    one.left().sends().poll(2).getLast().require(CqeOpcode.REQ, 1);
    assertThat(local.bytes(0, 16)).isEqualTo(remote.bytes(0, 16));
  }

  @Test
  void aReadThatIsAnsweredWhileItWaitsToBeSentAgainMakesRoomForOneRead() {
    RawPair one = rig.pair(settings().reads(0, 4));
    one.right().receive(remote.address(32), 8, remote.key());
    wire.loseAnswers(true);
    one.left().write(Wqe.send().data(local, 0, 8));
    one.left().post(Wqe.read(remote, 8).data(local, 8, 8));
    rig.settle();
    wire.notReadyLate(one, PSN);
    wire.answerReadLate(one, psn(1), remote, 8);
    rig.settle();
    one.left().sends().poll(2).getLast().require(CqeOpcode.REQ, 1);
    assertThat(local.bytes(8, 8)).isEqualTo(remote.bytes(8, 8));
    wire.forgetSent();
    one.left().write(Wqe.read(remote, 16).data(local, 16, 8));
    one.left().post(Wqe.read(remote, 24).data(local, 24, 8));
    rig.pass(TEN_MICROSECONDS);
    assertThat(wire.sentPsns()).containsExactly(psn(2));
  }

  // ---- acknowledgements that are late

  @Test
  void aLateAcknowledgementOfARetransmittedRequestCountsOnce() {
    wire.loseAnswers(true);
    pair.left().post(write(0));
    pair.left().post(write(8));
    rig.settle();
    rig.pass(TIMEOUT);
    assertThat(wire.sentPsns()).containsExactly(PSN, psn(1), PSN, psn(1));
    for (int i = 0; i < 2; i++) {
      wire.acknowledgeLate(pair, PSN);
      rig.settle();
    }
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    for (int i = 0; i < 2; i++) {
      wire.acknowledgeLate(pair, psn(1));
      wire.acknowledgeLate(pair, PSN);
      rig.settle();
    }
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
    wire.loseAnswers(false);
    pair.left().post(write(16));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 2);
    rig.pass(TIMEOUT);
    assertThat(wire.sentPsns()).endsWith(psn(1), psn(2));
  }

  @Test
  void aRequestAcknowledgedWhileItWaitsToBeSentAgainIsNotSentAgain() {
    pair.right().receive(remote.address(0), 8, remote.key());
    pair.right().receive(remote.address(8), 8, remote.key());
    wire.loseAnswers(true);
    pair.left().post(Wqe.send().data(local, 0, 8));
    pair.left().post(Wqe.send().data(local, 8, 8));
    rig.settle();
    wire.forgetSent();
    // Both were received. The RNR NAK from before there were receives arrives only now, and makes
    // the requester wait to send both again; the acknowledgement of the first is late, too.
    wire.notReadyLate(pair, PSN);
    wire.acknowledgeLate(pair, PSN);
    wire.loseAnswers(false);
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    rig.pass(TEN_MICROSECONDS);
    assertThat(wire.sentPsns()).containsExactly(psn(1));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
    pair.right().receives().poll(2);
    assertThat(remote.bytes(0, 16)).isEqualTo(local.bytes(0, 16));
  }

  // ---- local keys that end meanwhile

  @Test
  void aBadLocalKeyFailsTheRequestWhenItIsSentFirst() {
    pair.left().write(write(0));
    pair.left().write(Wqe.write(remote, 8).data(local.address(8), 8, local.key() ^ 1));
    pair.left().post(write(16));
    rig.settle();
    expectSecondRefused(local.key() ^ 1);
    assertThat(wire.sentPsns()).containsExactly(PSN);
  }

  @Test
  void aLocalKeyThatEndedMeanwhileFailsTheRequestWhenItIsSentAgain() {
    RawMemory closed = rig.memory(64, HcaAccess.ALL);
    wire.loseRequests(true);
    pair.left().write(write(0));
    pair.left().write(Wqe.write(remote, 8).data(closed, 0, 8));
    pair.left().post(write(16));
    rig.settle();
    closed.registration().close();
    wire.loseRequests(false);
    wire.forgetSent();
    byte[] before = remote.bytes(8, 16);
    rig.pass(TIMEOUT);
    expectSecondRefused(closed.key());
    assertThat(wire.sentPsns()).containsExactly(PSN);
    assertThat(remote.bytes(0, 8)).isEqualTo(local.bytes(0, 8));
    assertThat(remote.bytes(8, 16)).isEqualTo(before);
  }

  private void expectSecondRefused(int key) {
    List<RawCqe> done = pair.left().sends().poll(3);
    done.get(0).require(CqeOpcode.REQ, 0);
    RawCqe refused =
        done.get(1)
            .requireError(Syndrome.LOCAL_PROT_ERR, 1, "data segment 0", "lkey 0x%x".formatted(key));
    assertThat(refused.vendorSyndrome()).isEqualTo(0x51);
    done.get(2).requireError(Syndrome.WR_FLUSH_ERR, 2);
  }

  @Test
  void aLocalKeyThatEndedMeanwhileFailsTheReadWhoseAnswerComes() {
    RawMemory closed = rig.memory(64, HcaAccess.ALL);
    wire.loseRequests(true);
    pair.left().write(write(0));
    pair.left().post(Wqe.read(remote, 8).data(closed, 0, 8));
    rig.settle();
    closed.registration().close();
    wire.loseRequests(false);
    rig.pass(TIMEOUT);
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1)
        .requireError(
            Syndrome.LOCAL_PROT_ERR, 1, "lkey 0x%x does not name".formatted(closed.key()));
    assertThat(closed.bytes()).containsOnly(0);
  }
}
