package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * A later response shows that an earlier one is missing, so the requester retries without a
 * timeout.
 */
class MissingAnswerTest {
  private static final int PSN = 0x1000;
  private static final long TIMEOUT = 4096 << 3;
  private static final int RETRIES = 3;

  private final Wire wire = new Wire();
  private final Rig rig = wire.open();
  private final RawPair pair = rig.pair(new Settings().timeout(3).retryCount(RETRIES));
  private final RawMemory local = rig.memory(64).fill(1);
  private final RawMemory remote = rig.memory(64).fill(2);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  private Wqe later(String kind) {
    return switch (kind) {
      case "READ" -> Wqe.read(remote, 16).data(local, 16, 8);
      case "atomic" -> Wqe.fetchAndAdd(remote, 16, 1).data(local, 16, 8);
      case "WRITE" -> Wqe.write(remote, 16).data(local, 16, 8);
      default -> Wqe.send().data(local, 16, 8);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ", "atomic", "WRITE", "SEND"})
  void anyLaterAnswerShowsThatTheAnswerOfAReadIsMissing(String kind) {
    pair.right().receive(remote.address(32), 8, remote.key());
    wire.loseAnswer(PSN);
    pair.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().post(later(kind));
    rig.settle();
    expectBothDone();
    assertThat(wire.sentPsns()).startsWith(PSN, PSN + 1, PSN);
    assertThat(local.bytes(0, 8)).isEqualTo(remote.bytes(0, 8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ", "atomic", "WRITE", "SEND"})
  void anyLaterAnswerShowsThatTheResultOfAnAtomicIsMissing(String kind) {
    pair.right().receive(remote.address(32), 8, remote.key());
    remote.putLong(0, 40);
    wire.loseAnswer(PSN);
    pair.left().write(Wqe.fetchAndAdd(remote, 0, 2).data(local, 0, 8));
    pair.left().post(later(kind));
    rig.settle();
    expectBothDone();
    assertThat(remote.getLong(0)).isEqualTo(42);
    assertThat(local.getLong(0)).isEqualTo(40);
  }

  @Test
  void afterATimeoutLaterAnswersShowTheMissingAnswerAgain() {
    for (int i = 0; i < 3; i++) {
      wire.loseAnswer(PSN);
    }
    pair.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().post(later("WRITE"));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    rig.pass(TIMEOUT);
    expectBothDone();
    assertThat(local.bytes(0, 8)).isEqualTo(remote.bytes(0, 8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ", "atomic", "WRITE", "SEND"})
  void anyLaterAnswerStandsForALostAcknowledgement(String kind) {
    pair.right().receive(remote.address(32), 8, remote.key());
    wire.loseAnswer(PSN);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    pair.left().post(later(kind));
    rig.settle();
    expectBothDone();
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN + 1);
  }

  private void expectBothDone() {
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 1);
  }

  @Test
  void aNakOfAGapBehindAnUnansweredReadAsksForTheReadAgain() {
    wire.loseAnswer(PSN);
    wire.loseRequest(PSN + 1);
    pair.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().write(Wqe.write(remote, 16).data(local, 16, 8));
    pair.left().post(Wqe.write(remote, 24).data(local, 24, 8));
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(3);
    for (int i = 0; i < 3; i++) {
      done.get(i).require(CqeOpcode.REQ, i);
    }
    assertThat(wire.sentPsns()).startsWith(PSN, PSN + 1, PSN + 2, PSN);
    assertThat(local.bytes(0, 8)).isEqualTo(remote.bytes(0, 8));
    assertThat(remote.bytes(16, 16)).isEqualTo(local.bytes(16, 16));
  }

  @Test
  void aRefusalBehindAnUnansweredReadCompletesNothing() {
    byte[] before = local.bytes();
    wire.loseAnswer(PSN);
    pair.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 60).data(local, 16, 8));
    rig.settle();
    // The responder has refused the WRITE and responds no more, so the READ fails.
    assertThat(wire.sentPsns()).startsWith(PSN, PSN + 1, PSN);
    assertThat(pair.left().sends().peek()).isEmpty();
    for (int i = 0; i < RETRIES; i++) {
      rig.pass(TIMEOUT);
    }
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    done.get(1).requireError(Syndrome.WR_FLUSH_ERR, 1);
    assertThat(local.bytes()).isEqualTo(before);
  }

  @Test
  void anRnrNakBehindAnUnansweredReadAsksForTheReadAgain() {
    wire.loseAnswer(PSN);
    pair.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().post(Wqe.send().data(local, 16, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(local.bytes(0, 8)).isEqualTo(remote.bytes(0, 8));
    pair.right().receive(remote.address(32), 8, remote.key());
    rig.pass(10_000);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 4096, 5000})
  void aReadThatIsAnsweredAgainAnswersNoLaterOneWrongly(int bytes) {
    RawMemory from = rig.memory(8192).fill(2);
    RawMemory into = rig.memory(8192).fill(1);
    wire.loseAnswers(true);
    pair.left().write(Wqe.read(from, 0).data(into, 0, 8));
    pair.left().write(Wqe.read(from, 8).data(into, 8, bytes));
    pair.left().post(Wqe.write(from, 8000).data(into, 8000, 8));
    rig.settle();
    wire.loseAnswers(false);
    // At first, only the first READ is requested again.
    wire.loseRequest(PSN + 1);
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    pair.left().sends().poll(3).forEach(cqe -> cqe.require(CqeOpcode.REQ, cqe.wqeCounter()));
    assertThat(into.bytes(0, 8 + bytes)).isEqualTo(from.bytes(0, 8 + bytes));
  }
}
