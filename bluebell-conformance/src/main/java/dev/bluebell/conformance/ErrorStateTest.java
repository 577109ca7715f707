package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.RcQueuePair;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair in the error state flushes all requests in order, and does nothing else. */
@Conformance
class ErrorStateTest {

  @Test
  void bothQueuesAreFlushedInOrderWithTheirIds(Bench bench) {
    Ends ends = bench.ends().right(plan -> plan.receiveQueue(0)).connect();
    RcQueuePair left = ends.left().queuePair();
    ends.left().receiveNothing(10, 500);
    // The first send waits for a receive request that never comes, so all stay in the queue.
    for (int i = 0; i < 20; i++) {
      if (i % 3 == 0) {
        left.send().signaled(i);
      } else {
        left.send().unsignaled(i);
      }
    }
    left.ringDoorbell();
    bench.expectCalm(ends.left().completions());
    left.toError();
    List<Done> done = ends.left().await(30);
    assertThat(done).extracting(Done::status).containsOnly(CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(ids(done, true)).containsExactlyElementsOf(range(0, 20));
    assertThat(ids(done, false)).containsExactlyElementsOf(range(500, 510));
    done.getFirst().requireExplained(bench, "ERR", "QP 0x%x".formatted(left.number()));
    assertThat(left.query().state()).isEqualTo(QueuePairState.ERROR);
  }

  @Test
  void requestsPostedInTheErrorStateAreFlushed(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair left = ends.left().queuePair();
    left.toError();
    Buffer target = ends.right().buffer(8);
    byte[] data = {1};
    left.write(target.remote(0)).inline(data, 0, 1).signaled(1);
    left.nop().unsignaled(2);
    left.ringDoorbell();
    List<Done> done = ends.left().await(2);
    done.get(0).require(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    done.get(1).require(2, CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void receivesPostedInTheErrorStateAreFlushed(Bench bench) {
    Ends ends = bench.connected();
    ends.left().queuePair().toError();
    for (int round = 0; round < 3; round++) {
      ends.left().receiveNothing(5, 10L * round);
      List<Done> done = ends.left().await(5);
      for (int i = 0; i < 5; i++) {
        done.get(i).require(10L * round + i, CompletionStatus.WORK_REQUEST_FLUSHED);
      }
    }
  }

  @Test
  void receivesOfManyFailedQueuePairsAreAllFlushed(Bench bench) {
    List<Ends> all = LongStream.range(0, 10).mapToObj(i -> bench.connected()).toList();
    all.forEach(ends -> ends.left().queuePair().toError());
    for (Ends ends : all.reversed()) {
      ends.left().receiveNothing(1, 3);
    }
    for (Ends ends : all) {
      ends.left().awaitOne(3, CompletionStatus.WORK_REQUEST_FLUSHED);
    }
  }

  @Test
  void aMessageThatIsArrivingIsFlushedAtTheReceiver(Bench bench) {
    Ends ends = bench.connected();
    Buffer source = ends.left().buffer(1 << 20).fill(1);
    Buffer target = ends.right().buffer(1 << 20);
    ends.right().receive(target, 0, 1 << 20, 5);
    // The second gather entry fails after the first part of the message was sent.
    ends.left()
        .queuePair()
        .send()
        .gather(source.region(), 0, 1 << 19)
        .gather(source.address(0), 1 << 19, source.lkey() ^ 1)
        .signaled(1);
    ends.left().queuePair().ringDoorbell();
    ends.left().awaitOne(1, CompletionStatus.LOCAL_PROTECTION_ERROR);
    ends.right().queuePair().toError();
    ends.right().awaitOne(5, CompletionStatus.WORK_REQUEST_FLUSHED);
  }

  @Test
  void theErrorOfOneQueuePairLeavesOthersAlone(Bench bench) {
    Ends failing = bench.connected();
    Ends working = bench.connected();
    failing.left().queuePair().toError();
    working.right().receiveNothing(1, 5);
    working.left().sendNothing(1);
    working.left().awaitSuccess(1);
    working.right().awaitSuccess(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 16, 64})
  @ExpectsRefusal
  void everyRequestOfAFullRingCompletesOnce(int firstBad, Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.sendQueue(64)).connect();
    RcQueuePair left = ends.left().queuePair();
    Buffer target = ends.right().buffer(8);
    for (int i = 1; i <= 64; i++) {
      int rkey = i < firstBad ? target.rkey() : target.rkey() ^ 1;
      byte[] data = {1};
      left.write(target.address(0), rkey).inline(data, 0, 1).signaled(i);
    }
    left.ringDoorbell();
    List<Done> done = ends.left().await(64);
    for (int i = 1; i <= 64; i++) {
      done.get(i - 1)
          .require(
              i,
              i < firstBad
                  ? CompletionStatus.SUCCESS
                  : i == firstBad
                      ? CompletionStatus.REMOTE_ACCESS_ERROR
                      : CompletionStatus.WORK_REQUEST_FLUSHED);
    }
    assertThat(left.freeWqebbs()).isEqualTo(64);
    bench.expectCalm(ends.left().completions());
  }

  /** Ids of sends, which are below 500 here, or of receives. */
  private static List<Long> ids(List<Done> done, boolean sends) {
    return done.stream().map(Done::id).filter(id -> id < 500 == sends).toList();
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }
}
