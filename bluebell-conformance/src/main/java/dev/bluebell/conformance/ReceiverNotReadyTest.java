package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that find no receive request (RNR). */
@Conformance
class ReceiverNotReadyTest {
  private static final int TEN_MICROSECONDS = 1;

  /** Code of 491 ms: some retries are long enough on a busy machine, too. */
  private static final int HALF_A_SECOND = 31;

  /** Time of seven attempts with the longest timer, code 0. */
  private static final long SEVEN_LONG_ATTEMPTS_MILLIS = 3900;

  private static final int BYTES = 1 << 20;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 6})
  void theSenderFailsWhenItsRetriesAreUsedUp(int retries, Bench bench) {
    Ends ends =
        bench.connected(options -> options.withRnrRetry(retries).withMinRnrTimer(TEN_MICROSECONDS));
    ends.left().queuePair().send().signaled(1);
    ends.left().sendNothing(2);
    var done = ends.left().await(2);
    done.get(0)
        .require(1, CompletionStatus.RNR_RETRY_EXCEEDED)
        .requireExplained(bench, "rnr_retry " + retries, "receive", "QP 0x");
    done.get(1).require(2, CompletionStatus.WORK_REQUEST_FLUSHED);
    // The receiver did nothing wrong and stays connected.
    assertThat(ends.right().queuePair().query().state()).isEqualTo(QueuePairState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 7})
  void aReceiveThatIsPostedLateTakesTheMessage(int retries, Bench bench) {
    Ends ends =
        bench.connected(options -> options.withRnrRetry(retries).withMinRnrTimer(HALF_A_SECOND));
    Buffer source = ends.left().buffer(BYTES).fill(1);
    Buffer target = ends.right().buffer(BYTES);
    ends.left().send(source, 0, BYTES, 1);
    if (retries == 7) {
      bench.expectCalm(ends.left().completions());
    }
    ends.right().receive(target, 0, BYTES, 2);
    ends.left().awaitSuccess(1);
    assertThat(ends.right().awaitSuccess(2).byteCount()).isEqualTo(BYTES);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  @Test
  void aWriteWithImmediateWaitsForAReceiveTooAndWritesOnce(Bench bench) {
    Ends ends = bench.connected(options -> options.withMinRnrTimer(TEN_MICROSECONDS));
    Buffer source = ends.left().buffer(BYTES).fill(1);
    Buffer target = ends.right().buffer(BYTES + 8L);
    ends.left()
        .queuePair()
        .writeImmediate(target.remote(0), 7)
        .gather(source.region(), 0, BYTES)
        .signaled(1);
    ends.left().queuePair().ringDoorbell();
    bench.expectCalm(ends.left().completions());
    ends.right().receiveNothing(1, 2);
    ends.left().awaitSuccess(1);
    Done received = ends.right().awaitSuccess(2);
    assertThat(received.immediate()).isEqualTo(7);
    assertThat(received.byteCount()).isEqualTo(BYTES);
    assertThat(target.bytes(0, BYTES)).isEqualTo(source.bytes());
    assertThat(target.getLong(BYTES)).isZero();
  }

  @Test
  void requestsBehindTheWaitingOneWaitAndKeepTheirOrder(Bench bench) {
    Ends ends = bench.connected(options -> options.withMinRnrTimer(TEN_MICROSECONDS));
    Buffer word = ends.right().buffer(8);
    Buffer result = ends.left().buffer(8);
    ends.left().queuePair().nop().signaled(0);
    ends.left().queuePair().send().signaled(1);
    ends.left().queuePair().fetchAndAdd(word.remote(0), 1).scatter(result.region(), 0).signaled(2);
    ends.left().complete(0);
    bench.expectCalm(ends.left().completions());
    assertThat(word.getLong(0)).isZero();
    ends.right().receiveNothing(1, 9);
    assertThat(ends.left().await(2)).extracting(Done::id).containsExactly(1L, 2L);
    assertThat(word.getLong(0)).isEqualTo(1);
    ends.right().awaitSuccess(9);
  }

  @Test
  void theRetriesAreRestoredByEachSuccess(Bench bench) {
    int retries = 2;
    Ends ends =
        bench.connected(options -> options.withRnrRetry(retries).withMinRnrTimer(HALF_A_SECOND));
    // Together, the messages need more retries than one message has.
    for (int i = 0; i < retries + 2; i++) {
      ends.left().sendNothing(i);
      // Let the device see the message before its receive request.
      bench.device().progress();
      ends.right().receiveNothing(1, i);
      ends.left().awaitSuccess(i);
      ends.right().awaitSuccess(i);
    }
  }

  @Test
  void aQueuePairWithoutReceiveQueueIsNeverReady(Bench bench) {
    Ends ends =
        bench
            .ends()
            .right(plan -> plan.receiveQueue(0))
            .options(options -> options.withRnrRetry(1).withMinRnrTimer(TEN_MICROSECONDS))
            .connect();
    ends.left().sendNothing(1);
    ends.left().awaitOne(1, CompletionStatus.RNR_RETRY_EXCEEDED);
  }

  @Test
  void theTimerOfAConnectedReceiverCanBeChanged(Bench bench) {
    long quickest = Long.MAX_VALUE;
    // A busy machine may stop the device for longer than the retries take, but not every time.
    for (int i = 0; i < 20 && quickest >= SEVEN_LONG_ATTEMPTS_MILLIS; i++) {
      quickest = Math.min(quickest, millisecondsWithAChangedTimer(bench));
    }
    assertThat(quickest).isLessThan(SEVEN_LONG_ATTEMPTS_MILLIS);
  }

  private static long millisecondsWithAChangedTimer(Bench bench) {
    Ends ends =
        bench
            .ends()
            // 0 means 655.36 ms.
            .options(options -> options.withRnrRetry(6).withMinRnrTimer(0))
            .connect();
    ends.right().queuePair().modifyMinRnrTimer(TEN_MICROSECONDS);
    assertThat(ends.right().queuePair().query().minRnrTimer()).isEqualTo(TEN_MICROSECONDS);
    long start = bench.device().clock();
    ends.left().sendNothing(1);
    ends.left().awaitOne(1, CompletionStatus.RNR_RETRY_EXCEEDED);
    return (bench.device().clock() - start) / bench.device().attributes().clockKilohertz();
  }
}
