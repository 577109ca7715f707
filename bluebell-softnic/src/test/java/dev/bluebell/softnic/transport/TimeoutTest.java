package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ACK timeout in virtual time, checked to the nanosecond. */
class TimeoutTest {
  private static final int NOBODY = 0x777;

  private final FaultyFabric[] faulty = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            faulty[0] = new FaultyFabric(inside, sink);
            return faulty[0];
          });

  @AfterEach
  void close() {
    rig.close();
  }

  private RawQp lonely(Settings settings) {
    RawQp qp = rig.qp(rig.cq(4));
    qp.connect(NOBODY, settings);
    return qp;
  }

  @ParameterizedTest
  @CsvSource({"1,0", "1,7", "8,3", "14,7", "31,1"})
  void aPeerIsGivenUpAfterOneTimeoutForEachAttempt(int code, int retries) {
    long timeout = 4096L << code;
    RawQp qp = lonely(new Settings().timeout(code).retryCount(retries));
    qp.post(new Wqe(8).remote(0, 0));
    rig.settle();
    for (int attempt = 1; attempt <= retries + 1; attempt++) {
      assertThat(faulty[0].requestPsns()).hasSize(attempt);
      rig.pass(timeout - 1);
      assertThat(faulty[0].requestPsns()).hasSize(attempt);
      assertThat(qp.sends().peek()).isEmpty();
      rig.pass(1);
    }
    assertThat(faulty[0].requestPsns()).hasSize(retries + 1).containsOnly(0x1000);
    qp.sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "%,d µs".formatted(timeout / 1000),
            "after %s (retry_count)".formatted(Counted.of(retries, "retry", "retries")),
            "no QP 0x777 exists (remote_qpn)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x900, 0x2000})
  void aPeerThatExpectsAnotherFirstPsnIsRecognizedByItsAnswers(int expected) {
    RawQp left = rig.qp(rig.cq(4));
    RawQp right = rig.qp(rig.cq(4));
    left.connect(right.number(), new Settings().timeout(1).retryCount(1));
    right.connect(left.number(), new Settings().psn(0x1000, expected));
    left.post(new Wqe(8).remote(0, 0));
    rig.settle();
    rig.pass(4096L << 2);
    rig.pass(4096L << 2);
    left.sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "it answered that it expects PSN 0x%06x, but the first request has PSN 0x%06x"
                .formatted(expected, 0x1000));
  }

  @Test
  void withTimeoutZeroNothingIsEverGivenUp() {
    RawQp qp = lonely(new Settings().timeout(0));
    qp.post(new Wqe(8).remote(0, 0));
    rig.settle();
    for (int i = 0; i < 100; i++) {
      rig.pass(Long.MAX_VALUE / 1000);
    }
    assertThat(faulty[0].requestPsns()).hasSize(1);
    assertThat(qp.sends().peek()).isEmpty();
  }

  @Test
  void aRequestThatWaitsForEverIsReportedOnceAfterASecond() {
    RawQp qp = lonely(new Settings().timeout(0));
    qp.post(new Wqe(8).remote(0, 0));
    rig.settle();
    rig.pass(999_999_999);
    assertThat(rig.explanations()).noneMatch(line -> line.contains("will wait forever"));
    rig.pass(1);
    for (int i = 0; i < 10; i++) {
      rig.pass(1_000_000_000);
    }
    assertThat(rig.explanations())
        .filteredOn(line -> line.contains("will wait forever"))
        .singleElement()
        .asString()
        .contains(
            "QP 0x%x has waited a second for the answer to WQE 0 (RDMA_WRITE)"
                .formatted(qp.number()),
            "ACK timeout is 0",
            "no answer ever came",
            "no QP 0x777 exists (remote_qpn)");
  }

  @Test
  void aRequestWithoutATimeoutThatIsAnsweredInTimeIsNotReported() {
    RawPair pair = rig.pair(new Settings().timeout(0));
    faulty[0].onResponse(response -> Fate.LOSE);
    pair.left().post(new Wqe(8).remote(0, 0));
    rig.settle();
    rig.pass(999_999_999);
    faulty[0].carryAllResponses();
    // The response to this one acknowledges both.
    pair.left().post(new Wqe(8).remote(0, 0));
    rig.settle();
    pair.left().sends().poll(2);
    rig.pass(5_000_000_000L);
    assertThat(rig.explanations()).noneMatch(line -> line.contains("will wait forever"));
  }

  @Test
  void aGidThatNoPortReachesIsNamed() {
    RawQp qp = lonely(new Settings().retryCount(1).timeout(3).remote(new Gid(1, 2)));
    qp.post(new Wqe(8).remote(0, 0));
    rig.settle();
    rig.pass(4096 << 3);
    rig.pass(4096 << 3);
    qp.sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "destination GID", new Gid(1, 2), "rgid");
  }

  @Test
  void anAnswerRestoresTheRetries() {
    RawPair pair = rig.pair(new Settings().timeout(3).retryCount(1));
    for (int i = 0; i < 10; i++) {
      faulty[0].onRequest(request -> Fate.LOSE);
      pair.left().post(new Wqe(8).remote(0, 0));
      rig.settle();
      faulty[0].carryAllRequests();
      rig.pass(4096 << 3);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, i);
    }
  }

  @Test
  void theTimerStartsAnewWithEachAnswer() {
    RawPair pair = rig.pair(new Settings().timeout(10).retryCount(0));
    RawMemory memory = rig.memory(8);
    faulty[0].onResponse(response -> Fate.LOSE);
    pair.left().post(Wqe.write(memory, 0).data(memory, 0, 8));
    rig.settle();
    rig.pass((4096 << 10) - 1);
    faulty[0].carryAllResponses();
    // The response to this one acknowledges both.
    pair.left().post(Wqe.write(memory, 0).data(memory, 0, 8));
    rig.settle();
    pair.left().sends().poll(2);
    rig.pass(4096 << 10);
    pair.left().post(Wqe.nop());
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anAnswerJustAfterTheTimerRanOutRestartsTheTimer(int others) {
    RawPair pair = rig.pair(new Settings().timeout(3).retryCount(1));
    RawMemory from = rig.memory(16 << 20);
    RawMemory into = rig.memory(16 << 20);
    // One turn of each of these shifts the turns of the pair, so that in one of the runs the
    // responder has its turn between the timer and the requester.
    for (int i = 0; i < others; i++) {
      rig.qp(rig.cq(4)).post(Wqe.nop());
    }
    pair.left().post(Wqe.read(from, 0).data(into, 0, 16 << 20));
    // A READ of this size takes many turns to answer; after one step it has begun.
    rig.nic().step();
    rig.clock().advance(4096 << 3);
    rig.nic().step();
    faulty[0].onResponse(response -> Fate.LOSE);
    rig.settle();
    for (int i = 0; i < 4; i++) {
      rig.pass(4096 << 3);
    }
    pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 16})
  void severalLostRequestsAreSentAgainInOrder(int requests) {
    RawPair pair = rig.pair(new Settings().timeout(3));
    faulty[0].onRequest(request -> Fate.LOSE);
    for (int i = 0; i < requests; i++) {
      pair.left().post(new Wqe(8).remote(0, 0));
    }
    rig.settle();
    faulty[0].carryAllRequests();
    faulty[0].requestPsns().clear();
    rig.pass(4096 << 3);
    pair.left().sends().poll(requests);
    assertThat(faulty[0].requestPsns()).isSorted().hasSize(requests);
  }

  @Test
  void aGapIsReportedOnceAndRepairedWithoutWaiting() {
    RawPair pair = rig.pair(new Settings().retryCount(1));
    boolean[] lost = {false};
    faulty[0].onRequest(
        request -> {
          boolean first = !lost[0];
          lost[0] = true;
          return first ? Fate.LOSE : Fate.DELIVER;
        });
    for (int i = 0; i < 10; i++) {
      pair.left().post(new Wqe(8).remote(0, 0));
    }
    rig.settle();
    // No time has passed: the responder's NAK of the gap was enough.
    pair.left().sends().poll(10).getLast().require(CqeOpcode.REQ, 9);
  }
}
