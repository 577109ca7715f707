package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion queues: polling, overrun, arming and waiting. */
@Conformance
class CompletionQueueTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than the time limit of a test, so that only a wakeup ends a wait in time. */
  private static final Duration FOREVER = Duration.ofHours(3);

  private static final Duration SHORT = Duration.ofMillis(5);

  @Test
  void anEmptyQueueGivesNothing(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(4);
    assertThat(completions.poll()).isNull();
    assertThat(completions.poll(completion -> {})).isZero();
  }

  @Test
  void pollingTakesNoMoreThanItIsAskedTo(Bench bench) {
    Ends ends = bench.connected();
    nops(ends.left(), 10);
    List<Long> ids = new ArrayList<>();
    bench.until(
        () -> {
          int taken = ends.left().completions().poll(done -> ids.add(done.id()), 3);
          assertThat(taken).isLessThanOrEqualTo(3);
          return ids.size() == 10;
        },
        () -> "10 completions");
    assertThat(ids).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void aSingleCompletionIsAViewUntilTheNextPoll(Bench bench) {
    Ends ends = bench.connected();
    nops(ends.left(), 2);
    for (long id = 0; id < 2; id++) {
      Completion completion = bench.awaitView(ends.left().completions());
      assertThat(completion.id()).isEqualTo(id);
      assertThat(completion.isSuccess()).isTrue();
      assertThat(completion.explanation()).isNotEmpty();
    }
  }

  @Test
  void entriesMayHave128Bytes(Bench bench) {
    Ends ends = bench.ends().entries(4).cqeBytes(128).connect();
    for (int round = 0; round < 10; round++) {
      nops(ends.left(), 3);
      ends.left().awaitInOrder(3, 0);
    }
  }

  @Test
  void theHandlerMayPostAndRing(Bench bench) {
    Ends ends = bench.ends().entries(4).both(plan -> plan.sendQueue(4)).connect();
    RcQueuePair left = ends.left().queuePair();
    nops(ends.left(), 4);
    long[] count = {0};
    bench.until(
        () -> {
          ends.left()
              .completions()
              .poll(
                  done -> {
                    Done.of(done).requireSuccess(count[0] < 4 ? count[0] : count[0] - 3);
                    count[0]++;
                    left.nop().signaled(count[0]);
                    left.ringDoorbell();
                  });
          return count[0] >= 1000;
        },
        () -> "1000 completions");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 64})
  void aQueueMayBeFilledToItsLastEntry(int entries, Bench bench) {
    Ends ends = bench.ends().entries(entries).both(plan -> plan.sendQueue(128)).connect();
    assertThat(ends.left().completions().entries()).isEqualTo(entries);
    for (int round = 0; round < 3; round++) {
      nops(ends.left(), entries);
      // Waits at the other side, so this queue is not polled meanwhile.
      ends.right().nop(1);
      ends.right().awaitSuccess(1);
      ends.left().await(entries).forEach(done -> done.requireSuccess(done.id()));
    }
  }

  @Test
  void anOverrunIsAnEventAndAnErrorOfPolling(Bench bench) {
    Ends ends = bench.ends().entries(4).both(plan -> plan.sendQueue(16)).connect();
    nops(ends.left(), 5);
    AsyncEvent event = bench.awaitEvent(AsyncEvent.Type.CQ_ERROR);
    assertThat(event.number()).isEqualTo(ends.left().completions().number());
    assertThat(event.detail()).isEqualTo(1);
    assertThat(bench.awaitEvent(AsyncEvent.Type.WQ_CATASTROPHIC).number())
        .isEqualTo(ends.left().queuePair().number());
    assertThat(ends.left().queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    // Completions from before the overrun can still be polled.
    List<Done> done = ends.left().await(4);
    assertThat(done).extracting(Done::id).containsExactly(0L, 1L, 2L, 3L);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                bench.until(() -> ends.left().completions().poll(each -> {}) > 0, () -> "an error"))
        .withMessageContaining("overrun its 4 entries")
        .withMessageContaining("poll more often");
  }

  @Test
  void anOverrunOfTheReceiversQueueEndsTheReceiver(Bench bench) {
    CompletionQueue receives = bench.device().createCompletionQueue(4);
    Ends ends =
        bench
            .ends()
            .right(plan -> plan.receiveCompletions(receives))
            .options(options -> options.withTimeout(8).withRetryCount(1))
            .connect();
    ends.right().receiveNothing(8, 0);
    for (int i = 0; i < 5; i++) {
      ends.left().queuePair().send().unsignaled(i);
    }
    ends.left().queuePair().ringDoorbell();
    // Received requests may lack an acknowledgement; the last one was never received.
    List<Done> done = new ArrayList<>();
    bench.until(
        () -> {
          ends.left().completions().poll(each -> done.add(Done.of(each)));
          return !done.isEmpty() && done.getLast().id() == 4;
        },
        () -> "the last request, but got only " + done);
    assertThat(done.getFirst().status()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
    assertThat(bench.awaitEvent(AsyncEvent.Type.CQ_ERROR).number()).isEqualTo(receives.number());
    assertThat(ends.right().queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anArmedQueueReportsTheNextCompletion(boolean armedFirst, Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.left().completions();
    for (int i = 0; i < 10; i++) {
      if (armedFirst) {
        completions.arm(false);
        nops(ends.left(), 1);
      } else {
        nops(ends.left(), 1);
        completions.arm(false);
      }
      assertThat(completions.awaitEvent(PATIENCE)).isTrue();
      ends.left().awaitSuccess(0);
    }
  }

  @Test
  void oneArmingGivesOneEvent(Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.left().completions();
    completions.arm(false);
    nops(ends.left(), 3);
    ends.left().await(3);
    assertThat(completions.awaitEvent(PATIENCE)).isTrue();
    assertThat(completions.awaitEvent(SHORT)).isFalse();
    nops(ends.left(), 3);
    ends.left().await(3);
    assertThat(completions.awaitEvent(SHORT)).isFalse();
    completions.arm(false);
    nops(ends.left(), 1);
    assertThat(completions.awaitEvent(PATIENCE)).isTrue();
  }

  @Test
  void completionsThatWerePolledBeforeArmingCauseNoEvent(Bench bench) throws Exception {
    Ends ends = bench.connected();
    nops(ends.left(), 3);
    ends.left().await(3);
    ends.left().completions().arm(false);
    assertThat(ends.left().completions().awaitEvent(SHORT)).isFalse();
  }

  @Test
  void aQueueArmedForSolicitedCompletionsWaitsForOne(Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.right().completions();
    ends.right().receiveNothing(3, 0);
    completions.arm(true);
    ends.left().sendNothing(1);
    ends.left().awaitSuccess(1);
    assertThat(completions.awaitEvent(SHORT)).isFalse();
    ends.left().queuePair().send().solicited().signaled(2);
    ends.left().queuePair().ringDoorbell();
    assertThat(completions.awaitEvent(PATIENCE)).isTrue();
    ends.right().await(2);
  }

  @Test
  void aSolicitedCompletionBeforeArmingCausesAnEvent(Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.right().completions();
    ends.right().receiveNothing(3, 0);
    ends.left().queuePair().send().signaled(1);
    ends.left().queuePair().send().solicited().signaled(2);
    ends.left().sendNothing(3);
    ends.left().await(3);
    completions.arm(true);
    assertThat(completions.awaitEvent(PATIENCE)).isTrue();
  }

  @Test
  void aFailureCountsAsSolicited(Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.left().completions();
    completions.arm(true);
    nops(ends.left(), 1);
    ends.left().awaitSuccess(0);
    assertThat(completions.awaitEvent(SHORT)).isFalse();
    ends.left().queuePair().write(1, 2).inline(new byte[1], 0, 1).signaled(1);
    ends.left().queuePair().ringDoorbell();
    assertThat(completions.awaitEvent(PATIENCE)).isTrue();
  }

  @Test
  void armingForAnyReplacesArmingForSolicited(Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.left().completions();
    completions.arm(true);
    completions.arm(false);
    nops(ends.left(), 1);
    assertThat(completions.awaitEvent(PATIENCE)).isTrue();
  }

  @Test
  void waitingForCompletionsNeedsNoArming(Bench bench) throws Exception {
    Ends ends = bench.connected();
    for (int i = 0; i < 20; i++) {
      nops(ends.left(), 1);
      assertThat(ends.left().completions().awaitCompletions(PATIENCE)).isTrue();
      ends.left().awaitSuccess(0);
    }
    assertThat(ends.left().completions().awaitCompletions(SHORT)).isFalse();
  }

  @Test
  void aThreadThatWaitsIsWokenByTheCompletion(Bench bench) throws Exception {
    Ends ends = bench.connected();
    CompletionQueue completions = ends.right().completions();
    ends.right().receiveNothing(1, 0);
    boolean[] ready = {false};
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    ready[0] = completions.awaitCompletions(PATIENCE);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    ends.left().sendNothing(1);
    ends.left().awaitSuccess(1);
    waiter.join();
    assertThat(ready[0]).isTrue();
    ends.right().awaitSuccess(0);
  }

  @Test
  void aThreadThatWaitsIsWokenByAnotherThread(Bench bench) throws Exception {
    CompletionQueue completions = bench.connected().left().completions();
    for (int i = 0; i < 20; i++) {
      Thread other = Thread.ofPlatform().start(completions::wakeup);
      assertThat(completions.awaitCompletions(FOREVER)).isFalse();
      other.join();
    }
  }

  @Test
  void waitingOnAnOverrunQueueIsAnError(Bench bench) throws Exception {
    Ends ends = bench.ends().entries(4).both(plan -> plan.sendQueue(16)).connect();
    CompletionQueue completions = ends.left().completions();
    assertThat(completions.awaitCompletions(SHORT)).isFalse();
    nops(ends.left(), 5);
    bench.awaitEvent(AsyncEvent.Type.CQ_ERROR);
    List<Done> done = ends.left().await(4);
    assertThat(done).hasSize(4);
    assertThatIllegalStateException()
        .isThrownBy(() -> completions.awaitCompletions(PATIENCE))
        .withMessageContaining("overrun");
  }

  @Test
  void everyCompletionVectorServesAQueue(Bench bench) throws Exception {
    for (int vector = 0; vector < 2; vector++) {
      CompletionQueue completions =
          bench
              .device()
              .createCompletionQueue(
                  16, CompletionQueueOptions.DEFAULT.withCompletionVector(vector));
      RcQueuePair queuePair = Bench.toItself(bench.domain().rcQueuePair(completions).create());
      completions.arm(false);
      queuePair.nop().signaled(7);
      queuePair.ringDoorbell();
      assertThat(completions.awaitEvent(PATIENCE)).isTrue();
      bench.await(completions, 1).getFirst().requireSuccess(7);
    }
  }

  @Test
  void sendsAndReceivesMayCompleteInQueuesOfTheirOwn(Bench bench) {
    CompletionQueue receives = bench.device().createCompletionQueue(16);
    Ends ends = bench.ends().right(plan -> plan.receiveCompletions(receives)).connect();
    ends.right().receiveNothing(1, 5);
    ends.left().sendNothing(1);
    ends.left().awaitSuccess(1);
    bench.await(receives, 1).getFirst().requireSuccess(5);
    nops(ends.right(), 1);
    ends.right().awaitSuccess(0);
    bench.expectCalm(receives);
  }

  @Test
  void manyQueuePairsMayShareACompletionQueue(Bench bench) {
    CompletionQueue shared = bench.device().createCompletionQueue(256);
    List<RcQueuePair> queuePairs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      queuePairs.add(Bench.toItself(bench.domain().rcQueuePair(shared).create()));
    }
    for (int i = 0; i < 200; i++) {
      queuePairs.get(i % 20).nop().signaled(i);
    }
    queuePairs.forEach(RcQueuePair::ringDoorbell);
    List<Done> done = bench.await(shared, 200);
    assertThat(done).extracting(Done::id).doesNotHaveDuplicates();
    for (Done each : done) {
      assertThat(each.queuePairNumber()).isEqualTo(queuePairs.get((int) each.id() % 20).number());
    }
  }

  @Test
  void timestampsOfCompletionsDoNotGoBack(Bench bench) {
    Ends ends = bench.connected();
    long before = bench.device().clock();
    nops(ends.left(), 50);
    List<Long> stamps = bench.await(ends.left().completions(), 50, Completion::timestamp);
    assertThat(stamps).isSorted();
    assertThat(stamps.getFirst()).isGreaterThanOrEqualTo(before);
    assertThat(stamps.getLast()).isLessThanOrEqualTo(bench.device().clock());
  }

  private static void nops(End end, int count) {
    for (int i = 0; i < count; i++) {
      end.queuePair().nop().signaled(i);
    }
    end.queuePair().ringDoorbell();
  }
}
