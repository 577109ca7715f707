package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceiveRequest;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A shared receive queue of 8 entries with 3 segments, of which one is always spare. */
class SharedReceiveRingTest {
  private static final int STRIDE = 64;
  private final SharedBench shared = new SharedBench(3, 6);
  private final SharedReceiveRing receive = shared.receive;

  private void post(int count) {
    for (int i = 0; i < count; i++) {
      receive.receive().scatter(0x1000, 64, 7).post(100 + i);
    }
    receive.ringDoorbell();
  }

  private long polled() {
    return shared.bench.poll().id();
  }

  @Test
  void entriesCompleteInAnyOrder() {
    post(4);
    shared.complete(2);
    shared.complete(0);
    assertThat(polled()).isEqualTo(102);
    assertThat(polled()).isEqualTo(100);
  }

  @Test
  void anEntryIsNotCompletedTwice() {
    post(4);
    shared.complete(2);
    shared.complete(2);
    assertThat(polled()).isEqualTo(102);
    assertThatIllegalStateException()
        .isThrownBy(this::polled)
        .withMessageContaining("entry 2 of SRQ 0x5, which is not outstanding");
  }

  @Test
  void anEntryThatTheQueueDoesNotHaveIsRefused() {
    post(7);
    shared.complete(0xffff);
    assertThatIllegalStateException().isThrownBy(this::polled).withMessageContaining("entry 65535");
  }

  @Test
  void oneEntryIsAlwaysSpare() {
    assertThat(receive.requests()).isEqualTo(7);
    post(7);
    assertThat(receive.exactFreeRequests()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("SRQ 0x5 is full (7 requests)");
  }

  @Test
  void releasedEntriesFollowTheSpareOneInTheOrderOfTheirCompletions() {
    post(7);
    shared.complete(5);
    shared.complete(1);
    shared.complete(3);
    for (int i = 0; i < 3; i++) {
      polled();
    }
    assertThat(receive.exactFreeRequests()).isEqualTo(3);
    assertThat(shared.linkOf(7, STRIDE)).isEqualTo(5);
    assertThat(shared.linkOf(5, STRIDE)).isEqualTo(1);
    assertThat(shared.linkOf(1, STRIDE)).isEqualTo(3);
    receive.receive().empty().post(1);
    receive.receive().empty().post(2);
    receive.ringDoorbell();
    shared.complete(5);
    shared.complete(7);
    assertThat(polled()).isEqualTo(2);
    assertThat(polled()).isEqualTo(1);
  }

  @Test
  void theCountMayBeStaleUntilItIsTakenExactly() {
    post(7);
    shared.complete(0);
    polled();
    assertThat(receive.freeRequests()).isZero();
    assertThat(receive.exactFreeRequests()).isEqualTo(1);
    assertThat(receive.freeRequests()).isEqualTo(1);
  }

  @Test
  void aRequestLooksForReleasedEntriesWhenNoneIsKnown() {
    post(7);
    shared.complete(4);
    polled();
    receive.receive().empty().post(50);
    receive.ringDoorbell();
    shared.complete(7);
    assertThat(polled()).isEqualTo(50);
  }

  @Test
  void theDoorbellRecordCountsRequestsModuloTwoToTheSixteen() {
    for (int round = 0; round < 0x10000 / 4 + 1; round++) {
      post(4);
      int first = round * 4;
      assertThat(shared.record.hex(0, 4)).isEqualTo("%08x".formatted(first + 4 & 0xffff));
      for (int i = 0; i < 4; i++) {
        shared.complete(first + i & 7);
        assertThat(polled()).isEqualTo(100 + i);
      }
      assertThat(receive.exactFreeRequests()).isEqualTo(7);
    }
  }

  @Test
  void moreSegmentsThanTheQueueHasAreRefused() {
    assertThat(receive.maxScatter()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                receive
                    .receive()
                    .scatter(0x1000, 8, 7)
                    .scatter(0x2000, 8, 7)
                    .scatter(0x3000, 8, 7)
                    .scatter(0x4000, 8, 7)
                    .post(1))
        .withMessageContaining("SRQ 0x5 has at most 3 segments");
    assertThat(receive.freeRequests()).isEqualTo(7);
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> receive.receive().scatter(0x1000, -8, 7).post(1));
    assertThat(receive.freeRequests()).isEqualTo(7);
  }

  @Test
  void onlyOneRequestIsBuiltAtATime() {
    ReceiveRequest half = receive.receive().scatter(0x1000, 0, 7);
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("SRQ 0x5 is half built");
    assertThatIllegalStateException().isThrownBy(receive::ringDoorbell);
    half.post(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> half.post(2))
        .withMessageContaining("already ended");
    assertThat(receive.freeRequests()).isEqualTo(6);
  }

  @Test
  void anUnfinishedRequestCanBeDropped() {
    ReceiveRequest half = receive.receive().scatter(0x1000, 8, 7);
    assertThat(receive.dropUnfinished()).isTrue();
    assertThat(receive.dropUnfinished()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> half.post(1));
    assertThat(receive.freeRequests()).isEqualTo(7);
  }

  @Test
  void aClosedQueueRefusesRequestsAndRingsNowhere() {
    receive.receive().empty().post(1);
    receive.close();
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("SRQ 0x5 is closed");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(receive::ringDoorbell);
    assertThat(shared.record.bytes(0, 4)).containsOnly(TestMemory.POISON);
  }

  @Test
  void aRequestThatIsHalfBuiltWhenTheQueueClosesCannotGoOn() {
    ReceiveLanding half = receive.receive();
    receive.close();
    assertThatIllegalStateException().isThrownBy(() -> half.scatter(0x1000, 64, 7));
    assertThatIllegalStateException().isThrownBy(half::empty);
  }

  @Test
  void aClosedQueueHasNoFreeEntry() {
    receive.close();
    assertThat(receive.freeRequests()).isZero();
    assertThat(receive.exactFreeRequests()).isZero();
  }

  @Test
  void aDiscardedCompletionGivesItsEntryBack() {
    post(7);
    shared.complete(3);
    shared.bench.completions.discard(SharedBench.QPN);
    assertThat(receive.exactFreeRequests()).isEqualTo(1);
    assertThat(shared.bench.completions.poll()).isNull();
  }

  @Test
  void theCompletionOfAClosedQueuePairGivesItsEntryBack() {
    post(7);
    shared.complete(3);
    shared.bench.queues.release(shared.userIndex, shared.bench.completions);
    assertThat(shared.bench.completions.poll()).isNull();
    assertThat(receive.exactFreeRequests()).isEqualTo(1);
  }

  /**
   * Four requests complete; when the first completion is polled, the queue pair and its completion
   * queue are closed, and all free entries are posted again.
   *
   * @param closer runs the action that closes the completion queue
   * @param max how many completions are polled at most
   * @return how many entries were posted again
   */
  private int closeDuringPoll(Consumer<Runnable> closer, int max) {
    CompletionRing completions = shared.bench.completions;
    post(7);
    for (int entry = 0; entry < 4; entry++) {
      shared.complete(entry);
    }
    int[] again = {0};
    completions.requireOwner();
    int polled =
        completions.poll(
            completion -> {
              shared.bench.queues.release(shared.userIndex, completions);
              closer.accept(completions::close);
              again[0] = receive.exactFreeRequests();
              post(again[0]);
            },
            max);
    assertThat(polled).isEqualTo(1);
    return again[0];
  }

  private static void onAnotherThread(Runnable action) {
    FutureTask<Boolean> task = new FutureTask<>(action, true);
    try {
      Thread.ofPlatform().start(task).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(task.resultNow()).isTrue();
  }

  @Test
  void aCompletionQueueThatAnotherThreadClosesDuringAPollGivesEachEntryBackOnce() {
    int again = closeDuringPoll(SharedReceiveRingTest::onAnotherThread, 16);
    assertThat(again + receive.exactFreeRequests()).isEqualTo(4);
  }

  @Test
  void aCompletionQueueThatAHandlerClosesGivesEachEntryBackOnce() {
    int again = closeDuringPoll(Runnable::run, 16);
    assertThat(again + receive.exactFreeRequests()).isEqualTo(4);
  }

  @Test
  void whatThePollingThreadLeftIsGivenBackWhenItFindsTheCompletionQueueClosed() {
    CompletionRing completions = shared.bench.completions;
    assertThat(closeDuringPoll(SharedReceiveRingTest::onAnotherThread, 1)).isEqualTo(1);
    onAnotherThread(
        () ->
            assertThatExceptionOfType(ClosedException.class).isThrownBy(completions::requireOwner));
    assertThat(receive.exactFreeRequests()).isZero();
    assertThat(shared.bench.queues.reserve()).isNotEqualTo(shared.userIndex);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(completions::requireOwner);
    assertThat(receive.exactFreeRequests()).isEqualTo(3);
    assertThat(shared.bench.queues.reserve()).isEqualTo(shared.userIndex);
  }

  @Test
  void whatThePollingThreadLeftIsGivenBackWhenItHandsTheClosedCompletionQueueOver() {
    assertThat(closeDuringPoll(SharedReceiveRingTest::onAnotherThread, 1)).isEqualTo(1);
    shared.bench.completions.handOver();
    assertThat(receive.exactFreeRequests()).isEqualTo(3);
  }

  @Test
  void whatAPollingThreadLeftThatEndedIsGivenBackWhenAQueuePairIsCreated() {
    onAnotherThread(
        () ->
            closeDuringPoll(
                action -> {
                  onAnotherThread(action);
                  assertThat(shared.bench.queues.reserve()).isNotEqualTo(shared.userIndex);
                },
                1));
    receive.handOver();
    assertThat(receive.exactFreeRequests()).isZero();
    assertThat(shared.bench.queues.reserve()).isEqualTo(shared.userIndex);
    assertThat(receive.exactFreeRequests()).isEqualTo(3);
  }

  @Test
  void aSendCompletionOfAClosedQueuePairGivesNoEntryBack() {
    post(7);
    shared.bench.write(CqeOpcode.REQ, 0, SharedBench.QPN, shared.userIndex, 3, 0);
    shared.bench.queues.release(shared.userIndex, shared.bench.completions);
    assertThat(shared.bench.completions.poll()).isNull();
    assertThat(receive.exactFreeRequests()).isZero();
  }

  @Test
  void aQueueWithAUserIndexOfItsOwnTakesCompletionsOfAnyQueuePair() {
    int index = shared.bench.queues.reserve();
    shared.bench.queues.set(index, WorkQueues.shared(receive));
    post(7);
    shared.bench.write(CqeOpcode.RESP_SEND, 0, 0x77, index, 3, 0);
    shared.bench.write(CqeOpcode.RESP_SEND, 0, 0x78, index, 1, 0);
    assertThat(polled()).isEqualTo(103);
    assertThat(polled()).isEqualTo(101);
    shared.bench.write(CqeOpcode.RESP_SEND, 0, 0x78, index + 64, 1, 0);
    assertThatIllegalStateException().isThrownBy(this::polled).withMessageContaining("user index");
  }

  @Test
  void layoutsThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SharedReceiveRingLayout(0x1000, 16, 5, 0x2000, "SRQ"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SharedReceiveRingLayout(0x1000, 4, 4, 0x2000, "SRQ"));
    assertThat(SharedReceiveRingLayout.logEntries(15)).isEqualTo(4);
    assertThat(SharedReceiveRingLayout.logEntries(16)).isEqualTo(5);
    assertThat(SharedReceiveRingLayout.logStride(1)).isEqualTo(5);
    assertThat(SharedReceiveRingLayout.logStride(3)).isEqualTo(6);
    assertThat(SharedReceiveRingLayout.logStride(4)).isEqualTo(7);
  }
}
