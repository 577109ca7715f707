package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiters for a completion queue that no client polls. */
class CqWaitTest {
  private static final int LOG_SIZE = 2;
  private static final int COUNTS = 1 << 24;
  private static final int CROWD = 160;

  private final LoneChip chip = new LoneChip();
  private final LoneMemory memory = chip.memory((64 << LOG_SIZE) + 64);
  private final CompletionQueue queue =
      new CompletionQueue(
          chip.chip(),
          5,
          View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, LOG_SIZE).set(Cqc.OI, true).bytes(),
          memory.queue(0, 64 << LOG_SIZE));
  private final List<String> woken = new ArrayList<>();
  private int comparisons;

  private void produce(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(queue.completeRequest(1, 0, 0, i, 0)).isTrue();
    }
  }

  private CqWaiter waiter(String name) {
    return new CqWaiter() {
      @Override
      protected void wake() {
        woken.add(name);
      }

      @Override
      public boolean equals(Object other) {
        comparisons++;
        return this == other;
      }

      @Override
      public int hashCode() {
        return name.hashCode();
      }
    };
  }

  @Test
  void countsGoOnOverManyLapsOfTheRingAndAfter24Bits() {
    produce(1000);
    for (int i = 1000; i < COUNTS - 1; i++) {
      queue.completeRequest(1, 0, 0, 0, 0);
    }
    assertThat(queue.produced()).isEqualTo(COUNTS - 1);
    assertThat(queue.hasProduced(COUNTS - 2)).isTrue();
    assertThat(queue.hasProduced(COUNTS - 1)).isFalse();
    assertThat(queue.hasProduced(0)).isFalse();
    queue.await(waiter("behind the wrap"), 1);
    queue.await(waiter("at the wrap"), COUNTS - 1);
    assertThat(woken).isEmpty();
    produce(1);
    assertThat(woken).containsExactly("at the wrap");
    produce(1);
    assertThat(woken).hasSize(1);
    produce(1);
    assertThat(woken).containsExactly("at the wrap", "behind the wrap");
    assertThat(queue.hasProduced(1)).isTrue();
  }

  @Test
  void theOrderSurvivesTheWrapAt32Bits() {
    CqWaiters waiters = new CqWaiters(chip.chip(), queue, Integer.MAX_VALUE - 1);
    waiters.add(waiter("behind"), Integer.MIN_VALUE + 1);
    waiters.add(waiter("before"), Integer.MAX_VALUE);
    waiters.produced(Integer.MAX_VALUE);
    assertThat(woken).containsExactly("before");
    waiters.produced(Integer.MIN_VALUE);
    assertThat(woken).hasSize(1);
    waiters.produced(Integer.MIN_VALUE + 1);
    assertThat(woken).containsExactly("before", "behind");
  }

  @Test
  void theNextToBeWokenIsWokenFirstAndOnce() {
    CqWaiter twice = waiter("first");
    queue.await(waiter("second"), 1);
    queue.await(twice, 0);
    queue.await(twice, 0);
    produce(3);
    assertThat(woken).containsExactly("first", "second");
  }

  @Test
  void theEntryThatEndsARingWakesItsWaiter() {
    queue.await(waiter("first"), 0);
    queue.await(waiter("second"), 1);
    queue.resize(memory.umem(), memory.address(0), LOG_SIZE);
    assertThat(queue.hasProduced(0)).isTrue();
    assertThat(woken).containsExactly("first");
  }

  @Test
  void aWaiterThatStoppedWaitingIsNotWoken() {
    CqWaiter gone = waiter("gone");
    queue.stopWaiting(gone);
    queue.await(gone, 0);
    queue.stopWaiting(gone);
    queue.stopWaiting(gone);
    produce(1);
    assertThat(woken).isEmpty();
  }

  private List<CqWaiter> crowd(int index) {
    List<CqWaiter> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(waiter("waiter " + i));
      queue.await(crowd.getLast(), index);
    }
    return crowd;
  }

  @Test
  void aCompletionWakesFewOfACrowdAndTurnsOfTheQueueWakeTheOthers() {
    crowd(0);
    produce(1);
    assertThat(woken).hasSize(16);
    for (int turn = 2; turn <= CROWD / 16; turn++) {
      assertThat(chip.giveTurns()).containsExactly(queue.client());
      assertThat(woken).hasSize(16 * turn);
    }
    assertThat(chip.giveTurns()).isEmpty();
    assertThat(woken).hasSize(CROWD).doesNotHaveDuplicates();
  }

  @Test
  void aReleasedQueueWakesACrowdInItsTurns() {
    crowd(5);
    queue.release();
    assertThat(woken).hasSize(16);
    for (int turn = 0; turn < CROWD; turn++) {
      chip.giveTurns();
    }
    assertThat(woken).hasSize(CROWD).doesNotHaveDuplicates();
  }

  @Test
  void aCrowdThatStopsWaitingNeedsNoSearch() {
    List<CqWaiter> crowd = crowd(1);
    CqWaiter last = crowd.get(CROWD / 3);
    crowd.remove(CROWD / 3);
    comparisons = 0;
    crowd.forEach(queue::stopWaiting);
    assertThat(comparisons).isZero();
    produce(2);
    assertThat(woken).containsExactly("waiter " + CROWD / 3);
    queue.stopWaiting(last);
  }

  @Test
  void releasingTheQueueWakesAllWaiters() {
    queue.await(waiter("one"), 5);
    queue.await(waiter("two"), 6);
    queue.release();
    assertThat(woken).containsExactly("one", "two");
  }
}
