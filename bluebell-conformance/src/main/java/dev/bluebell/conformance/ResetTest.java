package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair after a reset behaves like a new one. */
@Conformance
class ResetTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 63, 64, 100})
  void aResetQueuePairConnectsAndWorksAgain(int sentBefore, Bench bench) {
    Ends ends = bench.connected();
    for (int i = 0; i < sentBefore; i++) {
      ends.right().receiveNothing(1, i);
      ends.left().sendNothing(i);
      ends.left().awaitSuccess(i);
      ends.right().awaitSuccess(i);
    }
    ends.reset();
    expectWorkingAgain(bench, ends);
  }

  @Test
  @ExpectsRefusal
  void aFailedConnectionCanBeMadeAnew(Bench bench) {
    Ends ends = bench.connected();
    for (int round = 0; round < 5; round++) {
      ends.left().queuePair().write(1, 2).inline(new byte[1], 0, 1).signaled(1);
      ends.left().queuePair().ringDoorbell();
      ends.left().awaitOne(1, CompletionStatus.REMOTE_ACCESS_ERROR);
      ends.reset();
      expectWorkingAgain(bench, ends);
    }
  }

  @Test
  void aResetDropsRequestsWithoutCompletions(Bench bench) {
    Ends ends = bench.connected();
    // No receive is posted, so the sends wait.
    for (int i = 0; i < 10; i++) {
      ends.left().queuePair().send().signaled(i);
    }
    ends.left().receiveNothing(10, 100);
    ends.left().queuePair().ringDoorbell();
    bench.expectCalm(ends.left().completions());
    ends.reset();
    assertThat(ends.left().queuePair().freeWqebbs())
        .isEqualTo(ends.left().queuePair().sendQueueWqebbs());
    expectWorkingAgain(bench, ends);
  }

  @Test
  void completionsThatWereNotPolledAreGoneAfterAReset(Bench bench) {
    Ends ends = bench.connected();
    for (int i = 0; i < 10; i++) {
      ends.left().queuePair().nop().signaled(i);
    }
    ends.left().queuePair().ringDoorbell();
    // Let them complete without polling them.
    ends.right().nop(1);
    ends.right().awaitSuccess(1);
    ends.reset();
    expectWorkingAgain(bench, ends);
  }

  @Test
  void aMessageInFlightDuringAResetDoesNotReachTheNewConnection(Bench bench) {
    Ends ends = bench.connected();
    Buffer source = ends.left().buffer(1 << 20).fill(1);
    Buffer target = ends.right().buffer(1 << 20);
    for (int i = 0; i < 16; i++) {
      ends.left().write(source, 0, 1 << 20, target, 0, i);
    }
    ends.reset();
    byte[] after = target.bytes();
    expectWorkingAgain(bench, ends);
    assertThat(target.bytes()).isEqualTo(after);
  }

  @Test
  void aResetQueuePairHasANewEndpointAndIsInInit(Bench bench) {
    Ends ends = bench.connected();
    assertThat(ends.left().queuePair().query().state()).isEqualTo(QueuePairState.RTS);
    assertThat(ends.left().queuePair().query().remoteQpn())
        .isEqualTo(ends.right().queuePair().number());
    Set<Integer> psns = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      psns.add(ends.left().queuePair().endpoint().psn());
      ends.left().queuePair().reset();
      assertThat(ends.left().queuePair().query().state()).isEqualTo(QueuePairState.INIT);
      assertThat(ends.left().queuePair().endpoint().qpn())
          .isEqualTo(ends.left().queuePair().number());
    }
    // Each is random, so two of them may be equal.
    assertThat(psns).hasSizeGreaterThan(1);
  }

  @Test
  void connectingTwiceIsRefused(Bench bench) {
    Ends ends = bench.connected();
    assertThatIllegalStateException()
        .isThrownBy(() -> ends.left().queuePair().connect(ends.right().queuePair().endpoint()))
        .withMessageContaining("RTS")
        .withMessageContaining("reset");
  }

  @Test
  void aResetQueuePairDoesNotAnswerItsPeer(Bench bench) {
    Ends ends = bench.connected(options -> options.withTimeout(8).withRetryCount(1));
    ends.right().queuePair().reset();
    ends.left().queuePair().write(0, 0).signaled(1);
    ends.left().queuePair().ringDoorbell();
    ends.left().awaitOne(1, CompletionStatus.RETRY_EXCEEDED);
  }

  private static void expectWorkingAgain(Bench bench, Ends ends) {
    bench.ends().connect(ends);
    new Transfer(ends, 70_000).expectDelivered();
  }
}
