package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.RcQueuePair;
import org.junit.jupiter.api.Test;

/** Fences: which requests they delay. */
@Conformance
class FenceTest {
  private static final int BYTES = 1 << 20;

  @Test
  void aFencedSendCarriesWhatTheReadBeforeItFetched(Bench bench) {
    Ends ends = bench.connected();
    Buffer remote = ends.right().buffer(BYTES).fill(1);
    Buffer local = ends.left().buffer(BYTES);
    Buffer arrived = ends.right().buffer(BYTES);
    ends.right().receive(arrived, 0, BYTES, 9);
    RcQueuePair left = ends.left().queuePair();
    left.read(remote.remote(0)).scatter(local.region(), 0, BYTES).unsignaled(1);
    left.send().gather(local.region(), 0, BYTES).fence().signaled(2);
    ends.left().complete(2);
    ends.right().awaitSuccess(9);
    assertThat(arrived.bytes()).isEqualTo(remote.bytes());
  }

  @Test
  void aFencedWriteDoesNotDisturbTheReadBeforeIt(Bench bench) {
    Ends ends = bench.connected();
    Buffer remote = ends.right().buffer(BYTES).fill(1);
    byte[] old = remote.bytes();
    Buffer local = ends.left().buffer(BYTES);
    Buffer fresh = ends.left().buffer(BYTES).fill(2);
    RcQueuePair left = ends.left().queuePair();
    left.read(remote.remote(0)).scatter(local.region(), 0, BYTES).unsignaled(1);
    left.write(remote.remote(0)).gather(fresh.region(), 0, BYTES).fence().signaled(2);
    ends.left().complete(2);
    assertThat(local.bytes()).isEqualTo(old);
    assertThat(remote.bytes()).isEqualTo(fresh.bytes());
  }

  @Test
  void aHundredFencedWritesCarryWhatTheReadBeforeEachFetched(Bench bench) {
    int rounds = 100;
    int bytes = 10_000;
    Ends ends = bench.ends().both(plan -> plan.sendQueue(2 * rounds)).connect();
    Buffer from = ends.right().buffer((long) rounds * bytes).fill(1);
    Buffer to = ends.right().buffer((long) rounds * bytes);
    // All READs share one destination, so each WRITE has only its own moment to send it.
    Buffer local = ends.left().buffer(bytes);
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < rounds; i++) {
      long at = (long) i * bytes;
      left.read(from.remote(at)).scatter(local.region(), 0, bytes).unsignaled(i);
      left.write(to.remote(at)).gather(local.region(), 0, bytes).fence().signaled(i);
    }
    left.ringDoorbell();
    ends.left().awaitInOrder(rounds, 0);
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  @Test
  void aFencedWriteCarriesTheResultOfTheAtomicBeforeIt(Bench bench) {
    Ends ends = bench.connected();
    Buffer remote = ends.right().buffer(16);
    remote.putLong(0, 42);
    Buffer local = ends.left().buffer(8);
    RcQueuePair left = ends.left().queuePair();
    left.fetchAndAdd(remote.remote(0), 1).scatter(local.region(), 0).unsignaled(1);
    left.write(remote.remote(8)).gather(local.region(), 0, 8).fence().signaled(2);
    ends.left().complete(2);
    assertThat(remote.getLong(0)).isEqualTo(43);
    assertThat(remote.getLong(8)).isEqualTo(42);
  }

  @Test
  void aFenceWithNothingBeforeItHoldsNothing(Bench bench) {
    Ends ends = bench.connected();
    ends.left().queuePair().nop().fence().signaled(1);
    ends.left().complete(1);
  }

  @Test
  void aReadSeesTheWriteBeforeItWithoutAFence(Bench bench) {
    Ends ends = bench.connected();
    Buffer remote = ends.right().buffer(BYTES);
    Buffer fresh = ends.left().buffer(BYTES).fill(3);
    Buffer local = ends.left().buffer(BYTES);
    RcQueuePair left = ends.left().queuePair();
    left.write(remote.remote(0)).gather(fresh.region(), 0, BYTES).unsignaled(1);
    left.read(remote.remote(0)).scatter(local.region(), 0, BYTES).signaled(2);
    ends.left().complete(2);
    assertThat(local.bytes()).isEqualTo(fresh.bytes());
  }
}
