package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Answer;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Network faults from end to end: their results, and how many packets they cost. */
class NetworkFaultsTest {
  private static final int PSN = 0x1000;
  private static final int PACKETS = 8;
  private static final int MTU = 256;
  private static final int BYTES = PACKETS * MTU - 10;
  private static final long TIMEOUT = 4096 << 3;
  private static final int RETRIES = 6;

  private final FaultyFabric[] faulty = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open((inside, sink) -> faulty[0] = new FaultyFabric(inside, sink).packetsPerBurst(1));
  private final FaultyFabric link = faulty[0].onResponse(response -> note(response, Fate.DELIVER));
  private final RawMemory local = rig.memory(BYTES).fill(1);
  private final RawMemory remote = rig.memory(BYTES).fill(2);

  /** PSNs of the NAKs of gaps that were sent, delivered or not. */
  private final List<Integer> naks = new ArrayList<>();

  private int msn;

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  private static Settings settings() {
    return new Settings().mtu(1).timeout(3).retryCount(RETRIES);
  }

  private Fate note(Packet response, Fate fate) {
    if (response.syndrome == Aeth.PSN_SEQUENCE_NAK) {
      naks.add(response.psn);
    }
    msn = response.msn;
    return fate;
  }

  /** Loses the first request with a PSN. */
  private void loseOnce(int psn) {
    boolean[] lost = {false};
    link.onRequest(
        request -> {
          boolean lose = request.psn == psn && !lost[0];
          lost[0] |= lose;
          return lose ? Fate.LOSE : Fate.DELIVER;
        });
  }

  private static int psn(int first, int ahead) {
    return first + ahead & 0xffffff;
  }

  private static List<Integer> psns(int first, int from) {
    return IntStream.range(from, PACKETS).mapToObj(i -> psn(first, i)).toList();
  }

  private void passTimeouts(int count) {
    for (int i = 0; i < count; i++) {
      rig.pass(TIMEOUT);
    }
  }

  // ---- packets that are lost

  /** Each packet but the last, with PSNs that do not wrap, and that wrap at each kind of packet. */
  static Stream<Arguments> lossesAndFirstPsns() {
    return IntStream.range(0, PACKETS - 1)
        .boxed()
        .flatMap(
            lost ->
                Stream.of(PSN, 0xfffff9, 0xfffffc, 0xffffff, 0)
                    .map(first -> Arguments.of(lost, first)));
  }

  @ParameterizedTest
  @MethodSource("lossesAndFirstPsns")
  void aGapIsAnsweredByOneNakAndEverythingFromThereOnIsSentAgain(int lost, int first) {
    RawPair pair = rig.pair(settings().psn(first, first));
    loseOnce(psn(first, lost));
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(naks).containsExactly(psn(first, lost));
    List<Integer> sent = new ArrayList<>(psns(first, 0));
    sent.addAll(psns(first, lost));
    assertThat(link.requestPsns()).isEqualTo(sent);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void theLastPacketIsSentAgainWhenTheTimerRunsOut() {
    RawPair pair = rig.pair(settings());
    loseOnce(PSN + PACKETS - 1);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    rig.pass(TIMEOUT - 1);
    assertThat(link.requestPsns()).isEqualTo(psns(PSN, 0));
    rig.pass(1);
    assertThat(link.requestPsns()).hasSize(PACKETS + 1).endsWith(PSN + PACKETS - 1);
    assertThat(naks).isEmpty();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void aLostNakIsNotSentAgainAndTheTimerRepairsTheGap() {
    RawPair pair = rig.pair(settings());
    loseOnce(PSN + 3);
    link.onResponse(
        response ->
            note(response, response.syndrome == Aeth.PSN_SEQUENCE_NAK ? Fate.LOSE : Fate.DELIVER));
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    rig.pass(TIMEOUT - 1);
    assertThat(pair.left().sends().peek()).isEmpty();
    rig.pass(1);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(naks).containsExactly(PSN + 3);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void messagesWhoseFirstAcknowledgementIsLostAreReceivedOnce() {
    RawPair pair = rig.pair(settings());
    Set<Integer> acknowledged = new HashSet<>();
    link.onResponse(
        response -> note(response, acknowledged.add(response.psn) ? Fate.LOSE : Fate.DELIVER));
    for (int i = 0; i < 20; i++) {
      pair.right().receiveNothing();
      pair.left().post(Wqe.send());
      rig.settle();
      assertThat(pair.left().sends().peek()).isEmpty();
      rig.pass(TIMEOUT);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, i);
      pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, i);
      assertThat(msn).isEqualTo(i + 1);
    }
  }

  /** A request without data, and how many receives it takes. */
  private record Empty(Wqe wqe, int receives) {}

  static Stream<Empty> emptyRequests() {
    return Stream.of(
        new Empty(Wqe.send(), 1),
        new Empty(new Wqe(WqeOpcode.SEND_IMM).immediate(7), 1),
        new Empty(new Wqe(WqeOpcode.RDMA_WRITE).remote(0xbad, 0), 0),
        new Empty(new Wqe(WqeOpcode.RDMA_WRITE_IMM).remote(0xbad, 0).immediate(7), 1),
        new Empty(new Wqe(WqeOpcode.RDMA_READ).remote(0xbad, 0), 0));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("emptyRequests")
  void aRequestOfNoBytesThatIsLostAndRepeatedIsExecutedOnce(Empty request) {
    RawPair pair = rig.pair(settings());
    pair.right().receiveNothing();
    pair.right().receiveNothing();
    boolean[] lost = {false, false};
    link.onRequest(
            sent -> {
              boolean first = !lost[0];
              lost[0] = true;
              return first ? Fate.LOSE : Fate.REPEAT;
            })
        .onResponse(
            answer -> {
              boolean first = !lost[1];
              lost[1] = true;
              return first ? Fate.LOSE : Fate.REPEAT;
            });
    pair.left().post(request.wqe);
    rig.settle();
    passTimeouts(2);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(link.requestPsns()).containsOnly(PSN);
    List<RawCqe> received = pair.right().receives().poll();
    assertThat(received).hasSize(request.receives).allMatch(cqe -> cqe.byteCount() == 0);
    assertThat(pair.right().query().getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(PSN + 1);
  }

  // ---- reordered and duplicate packets

  @Test
  void twoNeighboursThatChangePlacesCostOneNakAndOneRestart() {
    RawPair pair = rig.pair(settings());
    boolean[] held = {false};
    link.onRequest(
        request -> {
          if (request.psn == PSN + 3 && !held[0]) {
            held[0] = true;
            return Fate.HOLD;
          }
          if (request.psn == PSN + 5) {
            link.release();
          }
          return Fate.DELIVER;
        });
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    // The gap was closed before the responder had its turn, and another one was left behind it.
    assertThat(naks).containsExactly(PSN + 4);
    List<Integer> sent = new ArrayList<>(psns(PSN, 0));
    sent.addAll(psns(PSN, 4));
    assertThat(link.requestPsns()).isEqualTo(sent);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void aSecondOfHeavyReorderingIsSlowAndUsesUpNoRetries() {
    try (Rig other = Rigs.open(new LossOptions(0, 0.5, 0, 20_000, 1))) {
      RawPair pair =
          RawPair.connect(
              other.qp(new RawQpPlan(other.cq(9)).sizes(8, 3, 4)),
              other.qp(other.cq(6)),
              new Settings().mtu(1).timeout(8).retryCount(2));
      RawMemory counter = other.memory(8);
      RawMemory results = other.memory(64 * 8);
      int posted = 0;
      int completed = 0;
      while (other.clock().nanos() < 1_000_000_000 || completed < posted) {
        while (other.clock().nanos() < 1_000_000_000 && posted - completed < 32) {
          pair.left()
              .post(
                  posted % 4 == 0
                      ? Wqe.fetchAndAdd(counter, 0, 1).data(results, 0, 8)
                      : Wqe.write(results, 256).data(results, 8, 8));
          posted++;
        }
        other.pass(100_000);
        for (RawCqe cqe : pair.left().sends().poll()) {
          cqe.require(CqeOpcode.REQ, completed++ & 0xffff);
        }
      }
      assertThat(counter.getLong(0)).isEqualTo((posted + 3) / 4);
      assertThat(posted).isGreaterThan(1000);
    }
  }

  @Test
  void requestsDuplicatedInBothDirectionsAreExecutedAndCompletedOnce() {
    RawPair pair = rig.pair(settings());
    link.onRequest(request -> Fate.REPEAT).onResponse(response -> Fate.REPEAT);
    pair.right().receive(remote.address(0), 8, remote.key());
    pair.right().receiveNothing();
    remote.putLong(64, 40);
    remote.putLong(72, 7);
    pair.left().post(Wqe.send().data(local, 0, 8));
    pair.left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE_IMM)
                .remote(remote.address(8), remote.key())
                .immediate(5)
                .data(local, 8, 8));
    pair.left().post(Wqe.fetchAndAdd(remote, 64, 2).data(local, 64, 8));
    pair.left().post(Wqe.compareAndSwap(remote, 72, 7, 8).data(local, 72, 8));
    pair.left().post(Wqe.read(remote, 1000).data(local, 1000, 1000));
    rig.settle();
    passTimeouts(2);
    List<RawCqe> done = pair.left().sends().poll(5);
    for (int i = 0; i < 5; i++) {
      done.get(i).require(CqeOpcode.REQ, i);
    }
    List<RawCqe> received = pair.right().receives().poll(2);
    received.get(0).require(CqeOpcode.RESP_SEND, 0);
    received.get(1).require(CqeOpcode.RESP_WR_IMM, 1);
    assertThat(remote.bytes(0, 16)).isEqualTo(local.bytes(0, 16));
    assertThat(remote.getLong(64)).isEqualTo(42);
    assertThat(local.getLong(64)).isEqualTo(40);
    assertThat(remote.getLong(72)).isEqualTo(8);
    assertThat(local.getLong(72)).isEqualTo(7);
    assertThat(local.bytes(1000, 1000)).isEqualTo(remote.bytes(1000, 1000));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copiesThatComeFiveTimeoutsLateChangeNothing(boolean requests) {
    RawPair pair = rig.pair(settings());
    if (requests) {
      link.onRequest(request -> Fate.HOLD);
    } else {
      link.onResponse(response -> Fate.HOLD);
    }
    pair.right().receive(remote.address(0), 8, remote.key());
    pair.right().receiveNothing();
    remote.putLong(64, 40);
    pair.left().post(Wqe.send().data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 8).data(local, 8, 8));
    pair.left().post(Wqe.fetchAndAdd(remote, 64, 2).data(local, 64, 8));
    pair.left().post(Wqe.read(remote, 1000).data(local, 1000, 1000));
    rig.settle();
    passTimeouts(5);
    assertThat(pair.left().sends().peek()).isEmpty();
    link.carryAllRequests();
    link.carryAllResponses();
    rig.pass(TIMEOUT);
    assertThat(pair.left().sends().poll(4)).noneMatch(RawCqe::isError);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(remote.getLong(64)).isEqualTo(42);
    local.fill(3);
    remote.fill(4);
    byte[] localBefore = local.bytes();
    byte[] remoteBefore = remote.bytes();
    link.release();
    rig.settle();
    passTimeouts(10);
    assertThat(local.bytes()).isEqualTo(localBefore);
    assertThat(remote.bytes()).isEqualTo(remoteBefore);
    assertThat(pair.left().sends().peek()).isEmpty();
    assertThat(pair.right().receives().peek()).isEmpty();
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 4);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void aReadThatIsLostIsSentAgainBeforeTheWriteBehindIt() {
    RawPair pair = rig.pair(settings());
    byte[] before = remote.bytes(0, 8);
    loseOnce(PSN);
    pair.left().post(Wqe.read(remote, 0).data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 0).data(local, 8, 8));
    rig.settle();
    assertThat(pair.left().sends().poll(2)).noneMatch(RawCqe::isError);
    assertThat(naks).containsExactly(PSN);
    assertThat(link.requestPsns()).containsExactly(PSN, PSN + 1, PSN, PSN + 1);
    // Without a fence, a READ may see what the WRITE behind it wrote.
    assertThat(local.bytes(0, 8)).isIn(before, local.bytes(8, 8));
    assertThat(remote.bytes(0, 8)).isEqualTo(local.bytes(8, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 15})
  void acknowledgementsForSixtyFourMessagesAreEnough(int logAsked) {
    RawPair pair =
        RawPair.connect(
            rig.qp(new RawQpPlan(rig.cq(9)).sizes(9, 3, 4)),
            rig.qp(rig.cq(6)),
            settings().asksAfter(logAsked));
    int[] last = {PSN - 1};
    link.onResponse(
        response -> {
          if (response.psn - last[0] < 64) {
            return Fate.LOSE;
          }
          last[0] = response.psn;
          return Fate.DELIVER;
        });
    for (int i = 0; i < 256; i++) {
      pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
      rig.nic().step();
    }
    // No time passes: neither end waits for a timer.
    rig.settle();
    assertThat(pair.left().sends().poll(256)).noneMatch(RawCqe::isError);
    assertThat(link.requestPsns()).hasSize(256);
  }

  // ---- networks that carry nothing

  @Test
  void aRequesterWhoseRequestsAreLostFailsAndItsPeerKeepsItsReceives() {
    RawPair pair = rig.pair(settings());
    pair.right().receiveNothing();
    link.onRequest(request -> Fate.LOSE);
    for (int i = 0; i < 3; i++) {
      pair.left().post(Wqe.send());
    }
    rig.settle();
    passTimeouts(RETRIES);
    assertThat(pair.left().sends().peek()).isEmpty();
    rig.pass(TIMEOUT);
    expectGivenUp(pair, 3);
    assertThat(link.requestPsns()).hasSize(3 * (RETRIES + 1));
    assertThat(pair.right().receives().peek()).isEmpty();
    passTimeouts(10);
    assertThat(link.requestPsns()).hasSize(3 * (RETRIES + 1));
  }

  @Test
  void aRequesterWithoutAnswersFailsAlthoughItsRequestsWereExecutedOnce() {
    RawPair pair = rig.pair(settings());
    pair.right().receiveNothing();
    pair.right().receiveNothing();
    remote.putLong(64, 40);
    link.onResponse(response -> Fate.LOSE);
    pair.left().post(Wqe.fetchAndAdd(remote, 64, 2).data(local, 64, 8));
    pair.left().post(Wqe.send());
    rig.settle();
    passTimeouts(RETRIES + 1);
    expectGivenUp(pair, 2);
    assertThat(remote.getLong(64)).isEqualTo(42);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  private static void expectGivenUp(RawPair pair, int requests) {
    List<RawCqe> done = pair.left().sends().poll(requests);
    done.get(0).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    for (int i = 1; i < requests; i++) {
      done.get(i).requireError(Syndrome.WR_FLUSH_ERR, i);
    }
    assertThat(pair.left().state()).isEqualTo(QpState.ERR);
    assertThat(pair.right().state()).isEqualTo(QpState.RTS);
  }

  // ---- ends that go away

  @ParameterizedTest
  @ValueSource(strings = {"destroyed", "reset", "failed"})
  void nothingIsWrittenOnceTheResponderHasStopped(String gone) {
    RawPair pair = rig.pair(settings());
    link.onRequest(request -> request.psn >= PSN + 3 ? Fate.HOLD : Fate.DELIVER);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    switch (gone) {
      case "destroyed" -> pair.right().object().close();
      case "reset" -> pair.right().reset();
      default -> pair.right().toError();
    }
    byte[] before = remote.bytes();
    assertThat(before).startsWith(local.bytes(0, 3 * MTU));
    naks.clear();
    link.carryAllRequests();
    link.release();
    rig.settle();
    passTimeouts(RETRIES + 1);
    pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    assertThat(remote.bytes()).isEqualTo(before);
    assertThat(naks).isEmpty();
  }

  @Test
  void answersOfReadsThatComeAfterTheEndOfTheirRequesterAreNotWritten() {
    RawPair pair = rig.pair(settings());
    link.onResponse(response -> Fate.HOLD);
    pair.left().post(Wqe.read(remote, 0).data(local, 0, BYTES));
    pair.left().post(Wqe.fetchAndAdd(remote, 0, 1).data(local, 0, 8));
    rig.settle();
    pair.left().object().close();
    byte[] before = local.bytes();
    link.release();
    rig.settle();
    assertThat(local.bytes()).isEqualTo(before);
    assertThat(pair.right().state()).isEqualTo(QpState.RTS);
  }

  @Test
  void anEndThatIsMovedToTheErrorStateUnderLoadFlushesOnceAndFallsSilent() {
    RawPair pair = rig.pair(settings());
    link.onResponse(response -> Fate.HOLD);
    for (int i = 0; i < 5; i++) {
      Wqe wqe = Wqe.write(remote, 0).data(local, 0, BYTES);
      pair.left().post(i % 2 == 0 ? wqe : wqe.unsignalled());
    }
    pair.left().receiveNothing();
    rig.settle();
    pair.left().toError();
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(6);
    assertThat(done).allMatch(cqe -> cqe.syndrome() == Syndrome.WR_FLUSH_ERR);
    assertThat(done.stream().filter(cqe -> cqe.opcode() == CqeOpcode.REQ_ERR))
        .extracting(RawCqe::wqeCounter)
        .containsExactly(0, 1, 2, 3, 4);
    int sent = link.requestPsns().size();
    link.release();
    passTimeouts(20);
    assertThat(link.requestPsns()).hasSize(sent);
    assertThat(pair.left().sends().peek()).isEmpty();
  }

  @Test
  void packetsOfAnEarlierConnectionOfTheSameQueuePairsAreNotExecuted() {
    RawPair pair = rig.pair(settings());
    link.onRequest(request -> Fate.HOLD).onResponse(response -> Fate.HOLD);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    pair.left().post(Wqe.fetchAndAdd(remote, 0, 1).data(local, 0, 8));
    rig.settle();
    pair.left().reset();
    pair.right().reset();
    link.carryAllRequests();
    link.carryAllResponses();
    RawPair next = RawPair.connect(pair.left(), pair.right(), settings().psn(0x9000, 0x9000));
    byte[] before = remote.bytes();
    link.release();
    rig.settle();
    assertThat(remote.bytes()).isEqualTo(before);
    next.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    next.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void aRepeatedReadWhoseKeyWasDestroyedGetsNoAnswer() {
    RawPair pair = rig.pair(settings());
    RawMemory gone = rig.memory(64).fill(5);
    RawKey key = new RawKey(rig, gone);
    link.onResponse(response -> Fate.LOSE);
    pair.left()
        .post(new Wqe(WqeOpcode.RDMA_READ).remote(gone.address(0), key.key()).data(local, 0, 8));
    rig.settle();
    key.object().close();
    link.carryAllResponses();
    byte[] before = local.bytes();
    passTimeouts(RETRIES + 1);
    pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    assertThat(local.bytes()).isEqualTo(before);
  }

  // ---- forgeries that cannot be detected

  @Test
  void aForgedRefusalEndsTheRequesterOnceAndCleanly() {
    RawPair pair = rig.pair(settings());
    link.onResponse(response -> Fate.HOLD);
    for (int i = 0; i < 3; i++) {
      pair.left().post(Wqe.write(remote, 8L * i).data(local, 8L * i, 8));
    }
    rig.settle();
    for (int i = 0; i < 2; i++) {
      link.forgeResponse(
          pair.right().number(),
          pair.left().number(),
          Answer.NAK,
          PSN + 1,
          nak -> nak.syndrome = Aeth.REMOTE_ACCESS_NAK);
      rig.settle();
    }
    link.release();
    rig.settle();
    passTimeouts(RETRIES + 1);
    List<RawCqe> done = pair.left().sends().poll(3);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.REMOTE_ACCESS_ERR, 1);
    done.get(2).requireError(Syndrome.WR_FLUSH_ERR, 2);
  }

  @Test
  void aQueuePairThatTalksToItselfIsCheckedAsAnyOther() {
    RawQp qp = rig.qp(rig.cq(6));
    qp.connect(qp.number(), settings());
    loseOnce(PSN + 1);
    qp.post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(naks).containsExactly(PSN + 1);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
    qp.post(Wqe.write(remote, BYTES - 7).data(local, 0, 8));
    rig.settle();
    // The refusal of the responder may fail the requester before its NAK comes.
    RawCqe refused = qp.sends().pollOne();
    assertThat(refused.isError()).isTrue();
    assertThat(qp.state()).isEqualTo(QpState.ERR);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }
}
