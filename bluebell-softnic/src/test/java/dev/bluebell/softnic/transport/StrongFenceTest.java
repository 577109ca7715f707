package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Fence mode 3 waits for all earlier requests; the others wait for READs and atomics only. */
class StrongFenceTest {
  private static final int PSN = 0x1000;
  private static final long TIMEOUT = 4096 << 3;

  private final Wire wire = new Wire();
  private final Rig rig = wire.open();
  private final RawPair pair = rig.pair(new Settings().timeout(3));
  private final RawMemory local = rig.memory(64).fill(1);
  private final RawMemory remote = rig.memory(64);

  @AfterEach
  void close() {
    rig.close();
  }

  private Wqe fenced(int mode) {
    return Wqe.write(remote, 32).data(local, 32, 8).control(ControlSegment.CE_ALWAYS | mode);
  }

  private Wqe earlier(String kind) {
    return switch (kind) {
      case "WRITE" -> Wqe.write(remote, 0).data(local, 0, 8);
      case "READ" -> Wqe.read(remote, 0).data(local, 0, 8);
      case "atomic" -> Wqe.fetchAndAdd(remote, 0, 1).data(local, 0, 8);
      default -> Wqe.send().data(local, 0, 8);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "READ", "atomic", "SEND"})
  void aStrongFenceWaitsForTheAnswerOfAnyEarlierRequest(String kind) {
    pair.right().receive(remote.address(0), 8, remote.key());
    wire.loseAnswers(true);
    pair.left().post(earlier(kind));
    pair.left().post(fenced(ControlSegment.FENCE_STRONG));
    rig.settle();
    assertThat(wire.sentPsns()).containsExactly(PSN);
    assertThat(remote.bytes(32, 8)).containsOnly(0);
    wire.loseAnswers(false);
    rig.pass(TIMEOUT);
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN, PSN + 1);
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 1);
    assertThat(remote.bytes(32, 8)).isEqualTo(local.bytes(32, 8));
  }

  @Test
  void aStrongFenceWaitsForTheLastOfManyRequests() {
    wire.loseAnswers(true);
    for (int i = 0; i < 5; i++) {
      pair.left().post(earlier("WRITE"));
    }
    pair.left().post(fenced(ControlSegment.FENCE_STRONG));
    rig.settle();
    wire.acknowledgeLate(pair, PSN + 3);
    rig.settle();
    pair.left().sends().poll(4);
    assertThat(remote.bytes(32, 8)).containsOnly(0);
    wire.acknowledgeLate(pair, PSN + 4);
    wire.loseAnswers(false);
    rig.settle();
    pair.left().sends().poll(2).getLast().require(CqeOpcode.REQ, 5);
    assertThat(remote.bytes(32, 8)).isEqualTo(local.bytes(32, 8));
  }

  @Test
  void laterRequestsWaitBehindAStrongFence() {
    wire.loseAnswers(true);
    pair.left().post(earlier("WRITE"));
    pair.left().post(fenced(ControlSegment.FENCE_STRONG));
    pair.left().post(earlier("WRITE"));
    rig.settle();
    assertThat(wire.sentPsns()).containsExactly(PSN);
  }

  @ParameterizedTest
  @ValueSource(ints = {ControlSegment.FENCE, ControlSegment.FENCE_SMALL_AND_FENCE})
  void anOrdinaryFenceDoesNotWaitForAWrite(int mode) {
    wire.loseAnswers(true);
    pair.left().post(earlier("WRITE"));
    pair.left().post(fenced(mode));
    rig.settle();
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN + 1);
    assertThat(remote.bytes(32, 8)).isEqualTo(local.bytes(32, 8));
  }

  @Test
  void aStronglyFencedRequestThatWasLostIsSentAgain() {
    wire.loseRequest(PSN);
    pair.left()
        .post(
            Wqe.write(remote, 0)
                .data(local, 0, 8)
                .control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE_STRONG));
    rig.settle();
    rig.pass(TIMEOUT);
    assertThat(wire.sentPsns()).containsExactly(PSN, PSN);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aStronglyFencedSendThatFoundNoReceiveIsSentAgain() {
    pair.left().post(Wqe.send().control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE_STRONG));
    rig.settle();
    pair.right().receiveNothing();
    rig.pass(10_000);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }
}
