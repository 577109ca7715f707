package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many queue pairs at once: each is served, even while others ring. */
@Conformance
class ManyQueuePairsTest {
  private static final int COUNT = 200;
  private static final int LONG_MESSAGES = 40;
  private static final int LONG_BYTES = 1 << 20;
  private static final int ATTEMPTS = 10;

  @Test
  void everyQueuePairIsServedWhenAllRingAtOnce(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(COUNT * 8);
    List<RcQueuePair> queuePairs = connectedToThemselves(bench, completions);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < COUNT; i++) {
        queuePairs.get(i).nop().signaled(i);
        queuePairs.get(i).ringDoorbell();
        queuePairs.get(i).nop().signaled(COUNT + i);
        queuePairs.get(i).ringDoorbell();
      }
      List<Done> done = bench.await(completions, 2 * COUNT);
      assertThat(done).extracting(Done::id).doesNotHaveDuplicates();
    }
  }

  @Test
  void aBusyQueuePairDoesNotStarveOthers(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(COUNT * 2);
    List<RcQueuePair> queuePairs = connectedToThemselves(bench, completions);
    ProtectionDomain domain = bench.domain();
    RcQueuePair busy = Bench.toItself(domain.rcQueuePair(completions).create());
    Buffer source = new Buffer(domain.allocate(LONG_BYTES, Access.rights()));
    Buffer target = new Buffer(domain.allocate(LONG_BYTES, Access.rights()));
    boolean served = false;
    // A busy machine may stop this thread between the doorbells, but not every time.
    for (int i = 0; i < ATTEMPTS && !served; i++) {
      source.fill(i);
      for (int j = 0; j < LONG_MESSAGES; j++) {
        busy.write(target.remote(0)).gather(source.region(), 0, LONG_BYTES).signaled(COUNT + j);
      }
      for (int j = 0; j < COUNT; j++) {
        queuePairs.get(j).nop().signaled(j);
      }
      busy.ringDoorbell();
      queuePairs.forEach(RcQueuePair::ringDoorbell);
      List<Long> ids =
          bench.await(completions, COUNT + LONG_MESSAGES).stream()
              .map(done -> done.requireSuccess(done.id()).id())
              .toList();
      assertThat(ids).doesNotHaveDuplicates();
      assertThat(target.bytes()).isEqualTo(source.bytes());
      served = ids.getLast() >= COUNT;
    }
    assertThat(served).as("all others completed before the busy one").isTrue();
  }

  private static List<RcQueuePair> connectedToThemselves(Bench bench, CompletionQueue completions) {
    ProtectionDomain domain = bench.domain();
    List<RcQueuePair> queuePairs = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      queuePairs.add(
          Bench.toItself(domain.rcQueuePair(completions).sendQueue(4).receiveQueue(0).create()));
    }
    return queuePairs;
  }
}
