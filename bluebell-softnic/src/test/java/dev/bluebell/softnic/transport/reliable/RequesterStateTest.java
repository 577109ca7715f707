package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneSendQueue;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.operation.Outstanding;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state of a requester: its requests, their PSNs, and its remaining retries. */
class RequesterStateTest {

  @Nested
  class PsnWindowTest {
    private final PsnWindow window = new PsnWindow();

    @Test
    void psnsAreGivenSentAndAcknowledgedInThisOrder() {
      window.start(0xfffffe);
      assertThat(window.next()).isEqualTo(0xfffffe);
      assertThat(window.isAllAcknowledged()).isTrue();
      window.give(4);
      assertThat(window.next()).isEqualTo(2);
      assertThat(window.sent()).isEqualTo(0xfffffe);
      window.noteSent(1);
      assertThat(window.sent()).isEqualTo(1);
      assertThat(window.isAllAcknowledged()).isFalse();
      window.acknowledgeBefore(1);
      assertThat(window.unacked()).isEqualTo(1);
      assertThat(window.isAllAcknowledged()).isTrue();
    }

    @Test
    void aRetransmissionDoesNotMoveTheSentPsn() {
      window.start(10);
      window.noteSent(15);
      window.noteSent(12);
      assertThat(window.sent()).isEqualTo(15);
    }

    @Test
    void atMostHalfOfThePsnsLessOneAreGivenOut() {
      window.start(0xfffff0);
      assertThat(window.hasRoom(0x7fffff)).isTrue();
      assertThat(window.hasRoom(0x800000)).isFalse();
      window.give(0x7ffffe);
      assertThat(window.hasRoom(0)).isTrue();
      assertThat(window.hasRoom(1)).isTrue();
      assertThat(window.hasRoom(2)).isFalse();
      window.acknowledgeBefore(0xfffff1);
      assertThat(window.hasRoom(2)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"9, false", "10, true", "14, true", "15, false", "16777215, false"})
    void sentPsnsAreAwaitedUntilTheyAreAcknowledged(int psn, boolean awaited) {
      window.start(10);
      window.give(8);
      window.noteSent(15);
      assertThat(window.isAwaiting(psn)).isEqualTo(awaited);
    }

    @Test
    void passedPsnsCountAsGivenAndSent() {
      window.start(10);
      window.pass(12);
      assertThat(window.next()).isEqualTo(12);
      assertThat(window.sent()).isEqualTo(12);
      assertThat(window.unacked()).isEqualTo(10);
    }
  }

  @Nested
  class RetriesTest {
    private static final int CODE = 1;
    private static final long TIMEOUT = 8192;

    private final Retries retries = new Retries();

    RetriesTest() {
      start(2, 1, CODE);
    }

    private void start(int count, int rnrCount, int timeoutCode) {
      View qpc = View.of(Qpc.STRUCTURE).set(Qpc.RETRY_COUNT, count).set(Qpc.RNR_RETRY, rnrCount);
      retries.start(qpc, timeoutCode);
    }

    @Test
    void retriesAreTakenUntilTheyAreUsedUp() {
      assertThat(retries.take()).isTrue();
      assertThat(retries.take()).isTrue();
      assertThat(retries.take()).isFalse();
      assertThat(retries.retryCount()).isEqualTo(2);
    }

    @Test
    void rnrRetriesAreCountedApart() {
      assertThat(retries.takeRnr()).isTrue();
      assertThat(retries.takeRnr()).isFalse();
      assertThat(retries.take()).isTrue();
      assertThat(retries.rnrRetry()).isEqualTo(1);
    }

    @Test
    void sevenRnrRetriesAreForEver() {
      start(0, 7, CODE);
      for (int i = 0; i < 100; i++) {
        assertThat(retries.takeRnr()).isTrue();
      }
      assertThat(retries.take()).isFalse();
    }

    @Test
    void progressRestoresBothKindsOfRetries() {
      for (int i = 0; i < 3; i++) {
        assertThat(retries.take()).isTrue();
        assertThat(retries.take()).isTrue();
        assertThat(retries.take()).isFalse();
        assertThat(retries.takeRnr()).isTrue();
        assertThat(retries.takeRnr()).isFalse();
        assertThat(retries.progress(false, 0)).isFalse();
      }
    }

    @Test
    void waitingStartsTheTimeoutOnce() {
      assertThat(retries.deadline()).isEqualTo(Long.MAX_VALUE);
      assertThat(retries.await(100)).isTrue();
      assertThat(retries.deadline()).isEqualTo(100 + TIMEOUT);
      assertThat(retries.await(200)).isFalse();
      assertThat(retries.deadline()).isEqualTo(100 + TIMEOUT);
    }

    @Test
    void theTimeoutComesOnce() {
      assertThat(retries.await(0)).isTrue();
      assertThat(retries.takeTimeout(TIMEOUT - 1)).isFalse();
      assertThat(retries.takeTimeout(TIMEOUT)).isTrue();
      assertThat(retries.takeTimeout(TIMEOUT)).isFalse();
      assertThat(retries.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void progressStartsTheTimeoutAnewWhileSomethingIsAwaited() {
      assertThat(retries.progress(true, 50)).as("a deadline that is new").isTrue();
      assertThat(retries.deadline()).isEqualTo(50 + TIMEOUT);
      assertThat(retries.progress(true, 60)).as("a deadline that is later").isFalse();
      assertThat(retries.deadline()).isEqualTo(60 + TIMEOUT);
      assertThat(retries.progress(false, 70)).isFalse();
      assertThat(retries.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aPauseStopsTheTimeoutUntilItsEnd() {
      assertThat(retries.await(0)).isTrue();
      retries.pause(99_999);
      assertThat(retries.isPaused()).isTrue();
      assertThat(retries.deadline()).isEqualTo(99_999);
      retries.resume(99_998);
      assertThat(retries.isPaused()).isTrue();
      retries.resume(99_999);
      assertThat(retries.isPaused()).isFalse();
      assertThat(retries.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void withoutATimeoutTheOnlyDeadlineIsOneForTheUser() {
      start(2, 1, 0);
      assertThat(retries.timeout()).isZero();
      assertThat(retries.await(0)).isTrue();
      assertThat(retries.deadline()).isEqualTo(1_000_000_000);
      assertThat(retries.takeTimeout(1_000_000_000)).isTrue();
      assertThat(retries.takeSilence()).isTrue();
      assertThat(retries.await(2)).isFalse();
      assertThat(retries.progress(true, 3)).isFalse();
      assertThat(retries.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void noSilenceIsReportedWithATimeout() {
      start(2, 1, 14);
      assertThat(retries.takeSilence()).isFalse();
    }

    @Test
    void aResetStopsTheClocks() {
      assertThat(retries.await(0)).isTrue();
      retries.reset();
      assertThat(retries.deadline()).isEqualTo(Long.MAX_VALUE);
      retries.pause(5);
      retries.reset();
      assertThat(retries.isPaused()).isFalse();
    }
  }

  @Nested
  class OutstandingTest {
    private final Outstanding outstanding = new Outstanding();
    private final LoneSendQueue ring = new LoneSendQueue(new LoneChip(), 0x40, 7);
    private final WqeDecoder decoder =
        new WqeDecoder(ServiceType.RC, WqeOpcode.NOP, WqeOpcode.RDMA_READ);

    private void push(Wqe wqe, int firstPsn, int endPsn) {
      int index = ring.queue().nextIndex();
      ring.post(wqe);
      Fault fault = new Fault();
      ring.queue().fetch(fault);
      decoder.decode(ring.queue(), index, 1 << 30, outstanding.next(), fault);
      ring.queue().retire(1);
      outstanding.push(firstPsn, endPsn);
    }

    private static Wqe read() {
      return new Wqe(WqeOpcode.RDMA_READ).remote(0, 0);
    }

    @Test
    void entriesAreKeptInTheirOrder() {
      assertThat(outstanding.isEmpty()).isTrue();
      push(Wqe.nop(), 10, 10);
      push(read(), 10, 13);
      assertThat(outstanding.isEmpty()).isFalse();
      assertThat(outstanding.tail() - outstanding.head()).isEqualTo(2);
      int second = outstanding.head() + 1;
      assertThat(outstanding.wqe(second).opcode()).isEqualTo(WqeOpcode.RDMA_READ);
      assertThat(outstanding.wqe(second).index()).isEqualTo(1);
      assertThat(outstanding.firstPsn(second)).isEqualTo(10);
      assertThat(outstanding.endPsn(second)).isEqualTo(13);
      outstanding.pop();
      assertThat(outstanding.head()).isEqualTo(second);
      outstanding.pop();
      assertThat(outstanding.isEmpty()).isTrue();
    }

    @Test
    void countersOutlastTheRing() {
      for (int i = 0; i < 200; i++) {
        push(Wqe.nop(), i, i + 1);
        assertThat(outstanding.head()).isEqualTo(i);
        assertThat(outstanding.firstPsn(i)).isEqualTo(i);
        outstanding.pop();
      }
    }

    @Test
    void sixtyFourEntriesAreAllThatCanBe() {
      for (int i = 0; i < 64; i++) {
        push(Wqe.nop(), i, i);
      }
      assertThatThrownBy(() -> outstanding.push(0, 0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("more requests are outstanding than were fetched");
      outstanding.clear();
      assertThat(outstanding.isEmpty()).isTrue();
      outstanding.push(0, 0);
      assertThat(outstanding.tail() - outstanding.head()).isEqualTo(1);
    }

    @Test
    void theOldestUnansweredRequestIsTheFirstUnacknowledgedRead() {
      push(Wqe.nop(), 10, 10);
      push(read(), 10, 13);
      push(read(), 13, 14);
      assertThat(outstanding.oldestUnanswered(10)).isEqualTo(1);
      assertThat(outstanding.oldestUnanswered(12)).isEqualTo(1);
      assertThat(outstanding.oldestUnanswered(13)).isEqualTo(2);
      assertThat(outstanding.oldestUnanswered(14)).isEqualTo(outstanding.tail());
      assertThat(outstanding.isUnanswered(0, 0)).as("a NOP").isFalse();
      assertThat(outstanding.isUnanswered(1, 12)).isTrue();
      assertThat(outstanding.isUnanswered(1, 13)).isFalse();
    }
  }
}
