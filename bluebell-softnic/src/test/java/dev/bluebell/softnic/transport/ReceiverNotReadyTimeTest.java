package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for a receiver in virtual time, checked to the attempt and to the nanosecond. */
class ReceiverNotReadyTimeTest {
  private static final long TEN_MICROSECONDS = 10_000;

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

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void aMessageIsTriedOnceAndThenAsOftenAsRnrRetrySays(int retries) {
    RawPair pair = rig.pair(new Settings().rnrRetry(retries));
    pair.left().post(Wqe.send());
    rig.settle();
    for (int attempt = 1; attempt <= retries; attempt++) {
      assertThat(faulty[0].requestPsns()).hasSize(attempt);
      assertThat(pair.left().sends().peek()).isEmpty();
      rig.pass(TEN_MICROSECONDS - 1);
      assertThat(faulty[0].requestPsns()).hasSize(attempt);
      rig.pass(1);
    }
    assertThat(faulty[0].requestPsns()).hasSize(retries + 1);
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.RNR_RETRY_EXC_ERR,
            0,
            retries == 0 ? "the only time" : "each of the %d times".formatted(retries + 1),
            "rnr_retry %d".formatted(retries),
            "QP 0x%x has no receive WQE posted".formatted(pair.right().number()));
  }

  @Test
  void rnrRetrySevenMeansForEver() {
    RawPair pair = rig.pair(new Settings().rnrRetry(7));
    pair.left().post(Wqe.send());
    rig.settle();
    for (int i = 0; i < 5_000; i++) {
      rig.pass(TEN_MICROSECONDS);
    }
    assertThat(faulty[0].requestPsns()).hasSize(5_001);
    pair.right().receiveNothing();
    rig.pass(TEN_MICROSECONDS);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void endlessRnrRetriesAreReportedOnceAfterASecondWithoutProgress() {
    // 655 ms between attempts.
    RawPair pair = rig.pair(new Settings().rnrRetry(7).minRnrTimer(0));
    pair.left().post(Wqe.send());
    rig.settle();
    rig.pass(655_360_000);
    assertThat(rig.explanations()).isEmpty();
    rig.pass(655_360_000);
    String stuck =
        "QP 0x%x has been sending WQE 0 (SEND) for a second to a receiver that has no receive WQE posted"
            .formatted(pair.left().number());
    assertThat(rig.explanations()).singleElement().asString().contains(stuck, "rnr_retry 7");
    rig.pass(655_360_000);
    pair.right().receiveNothing();
    rig.pass(655_360_000);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.explanations()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 2"})
  void theOwnerOfAnotherClientsReceiverIsToldOnceWhenTheSenderGivesUpOrIsStuck(
      int retries, int attempts) {
    List<String> told = new ArrayList<>();
    rig.nic()
        .hosting()
        .orElseThrow()
        .observe((subject, number, why) -> told.add(subject + " " + number + " " + why));
    try (Rig one = client();
        Rig other = client()) {
      RawPair pair =
          RawPair.connect(
              one.qp(one.cq(4)),
              other.qp(other.cq(4)),
              new Settings().rnrRetry(retries).minRnrTimer(0));
      pair.left().post(Wqe.send());
      rig.settle();
      for (int i = 0; i < attempts; i++) {
        assertThat(told).isEmpty();
        rig.pass(655_360_000);
      }
      rig.pass(655_360_000);
      assertThat(told)
          .hasSize(2)
          .contains(
              ("QUEUE_PAIR %d a message of QP 0x%x finds no receive: QP 0x%x has no receive WQE"
                      + " posted; post receives and ring their doorbell before the peer sends")
                  .formatted(pair.right().number(), pair.left().number(), pair.right().number()));
    }
  }

  private Rig client() {
    return new Rig((SoftNic) rig.nic().hosting().orElseThrow().openClient(), rig.clock());
  }

  @Test
  void manyShortRnrWaitsAreNotReported() {
    RawPair pair = rig.pair(new Settings().rnrRetry(7).minRnrTimer(0));
    for (int i = 0; i < 4; i++) {
      pair.left().post(Wqe.send());
      rig.settle();
      pair.right().receiveNothing();
      rig.pass(655_360_000);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(rig.explanations()).isEmpty();
  }

  /** The InfiniBand specification's encoding of RNR NAK timers, in units of 10 µs. */
  static IntStream timers() {
    return IntStream.of(
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
        1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void theReceiversTimerCodeSaysHowLongToWait(int code) {
    long nanos = timers().toArray()[code] * 10_000L;
    RawPair pair = rig.pair(new Settings().minRnrTimer(code));
    pair.left().post(Wqe.send());
    rig.settle();
    rig.pass(nanos - 1);
    assertThat(faulty[0].requestPsns()).hasSize(1);
    rig.pass(1);
    assertThat(faulty[0].requestPsns()).hasSize(2);
  }

  static IntStream codes() {
    return IntStream.range(0, 32);
  }

  @ParameterizedTest
  @CsvSource({"1", "70000", "1000000"})
  void anAttemptInVainConsumesNoReceiveAndLeavesNoTrace(int bytes) {
    RawPair pair = rig.pair();
    RawMemory source = rig.memory(bytes).fill(1);
    RawMemory target = rig.memory(bytes);
    RawMemory other = rig.memory(bytes);
    pair.left().post(Wqe.send().data(source, 0, bytes));
    pair.left().post(Wqe.write(other, 0).data(source, 0, bytes));
    rig.settle();
    rig.pass(TEN_MICROSECONDS);
    assertThat(other.bytes()).isEqualTo(new byte[bytes]);
    pair.right().receive(target.address(0), bytes, target.key());
    assertThat(target.bytes()).isEqualTo(new byte[bytes]);
    rig.pass(TEN_MICROSECONDS);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    pair.left().sends().poll(2);
    assertThat(target.bytes()).isEqualTo(source.bytes());
    assertThat(other.bytes()).isEqualTo(source.bytes());
  }

  @Test
  void theAcknowledgeTimerRestsWhileTheReceiverIsWaitedFor() {
    // The receiver requests a delay of 655 ms; the ACK timeout would expire after 8 µs.
    RawPair pair = rig.pair(new Settings().minRnrTimer(0).timeout(1).retryCount(0));
    pair.left().post(Wqe.send());
    rig.settle();
    rig.pass(655_359_999);
    assertThat(pair.left().sends().peek()).isEmpty();
    pair.right().receiveNothing();
    rig.pass(1);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aLostRnrNakCostsATimeoutRetryAndNoRnrRetry() {
    RawPair pair = rig.pair(new Settings().timeout(3).retryCount(2).rnrRetry(1));
    faulty[0].onResponse(response -> Fate.LOSE);
    pair.left().post(Wqe.send());
    rig.settle();
    rig.pass(4096 << 3);
    faulty[0].carryAllResponses();
    rig.pass((4096 << 3) - 1);
    assertThat(faulty[0].requestPsns()).hasSize(2);
    rig.pass(1);
    assertThat(faulty[0].requestPsns()).hasSize(3);
    // The third attempt was answered, so this is the first of rnr_retry.
    pair.right().receiveNothing();
    rig.pass(TEN_MICROSECONDS);
    assertThat(faulty[0].requestPsns()).hasSize(4);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void aHundredSendersToAnEmptyPoolAllCompleteWhenItIsFilled() {
    int senders = 100;
    RawPool pool = new RawPool(rig, false, 7);
    RawMemory inbox = rig.memory(8 * senders);
    RawMemory outbox = rig.memory(8 * senders);
    RawCq received = rig.cq(7);
    List<RawPair> pairs = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      RawPair pair =
          RawPair.connect(
              rig.qp(rig.cq(4)),
              rig.qp(new RawQpPlan(rig.cq(4)).receiveCompletions(received).pool(pool)),
              new Settings().rnrRetry(7));
      outbox.putLong(8L * i, i);
      pair.left().post(Wqe.send().data(outbox, 8L * i, 8));
      pairs.add(pair);
    }
    rig.settle();
    for (int i = 0; i < 20; i++) {
      rig.pass(TEN_MICROSECONDS);
    }
    assertThat(received.peek()).isEmpty();
    // Four at a time: senders for which the pool does not suffice wait for the next receives.
    for (int i = 0; i < senders; i++) {
      pool.write(i, 0, inbox.address(8L * i), 8, inbox.key());
      if (i % 4 == 3) {
        pool.post(4);
        rig.pass(TEN_MICROSECONDS);
      }
    }
    pairs.forEach(pair -> pair.left().sends().pollOne().require(CqeOpcode.REQ, 0));
    assertThat(received.poll(senders)).noneMatch(RawCqe::isError);
    assertThat(LongStream.range(0, senders).map(i -> inbox.getLong(8 * i)).sorted())
        .containsExactlyElementsOf(LongStream.range(0, senders).boxed().toList());
  }
}
