package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
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
import org.junit.jupiter.params.provider.EnumSource;

/** A queue pair that is reset while it waits does not wait any more when it is connected again. */
class ResetWhileWaitingTest {
  private static final int PSN = 0xabcdef;

  /** More bytes than a device moves in one step. */
  private static final int LONG = 8 << 20;

  private static final long TIMEOUT = 4096 << 3;

  private final Wire wire = new Wire();
  private final Rig rig = wire.open();
  private final Settings settings =
      new Settings().timeout(3).retryCount(1).reads(0, 4).psn(PSN, PSN);
  private final RawPair pair = rig.pair(settings);
  private final RawMemory local = rig.memory(256).fill(1);
  private final RawMemory remote = rig.memory(256).fill(2);
  private final RawMemory large = rig.memory(LONG);

  @AfterEach
  void close() {
    rig.close();
  }

  /** What the left end waits for. */
  enum Waiting {
    FOR_ANSWERS,
    FOR_THE_RECEIVER,
    FOR_ITS_NEXT_TURN,
    TO_SEND_THE_REST,
    FOR_THE_RESPONDERS_NEXT_TURN,
    FOR_WHAT_IS_MISSING,
    FOR_A_FENCE,
    TO_FAIL
  }

  private void bring(Waiting waiting) {
    switch (waiting) {
      case FOR_ANSWERS -> {
        // Only one READ may be outstanding, so the second one is not sent.
        wire.loseAnswers(true);
        pair.left().post(Wqe.read(remote, 0).data(local, 0, 8));
        pair.left().post(Wqe.read(remote, 8).data(local, 8, 8));
      }
      case FOR_THE_RECEIVER -> pair.left().post(Wqe.send().data(local, 0, 8));
      case FOR_ITS_NEXT_TURN -> {
        pair.left().post(Wqe.write(large, 0).data(large, 0, LONG));
        rig.nic().step();
        return;
      }
      case TO_SEND_THE_REST -> {
        pair.right().receive(large.address(0), LONG, large.key());
        pair.left().post(Wqe.send().data(large, 0, LONG));
        rig.nic().step();
        return;
      }
      case FOR_THE_RESPONDERS_NEXT_TURN -> {
        pair.left().post(Wqe.read(large, 0).data(large, 0, LONG));
        rig.nic().step();
        return;
      }
      case FOR_WHAT_IS_MISSING -> {
        // The responder has sent a NAK for the gap, and it was lost.
        wire.loseAnswers(true);
        wire.loseRequest(PSN);
        pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
        pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
      }
      case FOR_A_FENCE -> {
        wire.loseAnswers(true);
        pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
        pair.left().post(fenced());
      }
      case TO_FAIL -> {
        wire.loseAnswers(true);
        pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
        pair.left().post(new Wqe(0xff));
      }
    }
    rig.settle();
  }

  private Wqe fenced() {
    return Wqe.write(remote, 64)
        .data(local, 64, 8)
        .control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE_STRONG);
  }

  private void reconnect() {
    pair.left().reset();
    pair.right().reset();
    large.registration().close();
    wire.loseAnswers(false);
    wire.forgetSent();
    RawPair.connect(pair.left(), pair.right(), settings);
  }

  @ParameterizedTest
  @EnumSource(Waiting.class)
  void everyKindOfRequestIsExecutedAfterAReset(Waiting waiting) {
    bring(waiting);
    assertThat(pair.left().sends().peek()).isEmpty();
    reconnect();
    local.fill(3);
    remote.fill(4);
    pair.right().receive(remote.address(128), 8, remote.key());
    pair.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().write(Wqe.read(remote, 8).data(local, 8, 8));
    pair.left().write(fenced());
    pair.left().post(Wqe.send().data(local, 128, 8));
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(4);
    for (int i = 0; i < 4; i++) {
      done.get(i).require(CqeOpcode.REQ, i);
    }
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN + 1, PSN + 2, PSN + 3);
    assertThat(local.bytes(0, 16)).isEqualTo(remote.bytes(0, 16));
    assertThat(remote.bytes(64, 8)).isEqualTo(local.bytes(64, 8));
    assertThat(remote.bytes(128, 8)).isEqualTo(local.bytes(128, 8));
    rig.pass(10 * TIMEOUT);
    assertThat(wire.sentPsns()).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource(Waiting.class)
  void aGapIsReportedAfterAReset(Waiting waiting) {
    bring(waiting);
    reconnect();
    wire.loseRequest(PSN);
    pair.left().write(Wqe.write(remote, 0).data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 8).data(local, 8, 8));
    rig.settle();
    pair.left().sends().poll(2).getLast().require(CqeOpcode.REQ, 1);
  }

  @ParameterizedTest
  @EnumSource(Waiting.class)
  void theTimerAndTheRetriesBeginAnew(Waiting waiting) {
    bring(waiting);
    rig.clock().advance(TIMEOUT - 1);
    reconnect();
    wire.loseRequests(true);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT - 1);
    assertThat(wire.sentPsns()).containsExactly(PSN);
    rig.pass(1);
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN);
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
  }

  @Test
  void aResetForgetsWhyAnEarlierRequestWasDropped() {
    pair.right().toError();
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    reconnect();
    wire.loseRequests(true);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    assertThat(pair.left().sends().pollOne().explanation())
        .contains("after 1 retry")
        .doesNotContain("was dropped");
  }
}
