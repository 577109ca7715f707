package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

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
    Ends busy = bench.connected();
    Buffer source = busy.left().buffer(1 << 20).fill(1);
    Buffer target = busy.right().buffer(1 << 20);
    CompletionQueue completions = bench.device().createCompletionQueue(COUNT * 2);
    List<RcQueuePair> queuePairs = connectedToThemselves(bench, completions);
    for (int i = 0; i < 40; i++) {
      busy.left().write(source, 0, 1 << 20, target, 0, i);
    }
    for (int i = 0; i < COUNT; i++) {
      queuePairs.get(i).nop().signaled(i);
      queuePairs.get(i).ringDoorbell();
    }
    // Polled first, so a device without a thread runs only as far as these need.
    assertThat(bench.await(completions, COUNT)).extracting(Done::id).doesNotHaveDuplicates();
    busy.left().await(40);
    assertThat(target.bytes()).isEqualTo(source.bytes());
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
