package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/** SEND with invalidate, of keys that peers may invalidate and of others. */
@Conformance
class InvalidateTest {

  @Test
  void theKeyOfARegionIsNotInvalidatedByAPeer(Bench bench) {
    Ends ends = bench.connected();
    Buffer region = ends.right().buffer(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    Buffer target = ends.right().buffer(64);
    ends.right().receive(target, 0, 64, 5);
    ends.left().queuePair().sendInvalidate(region.rkey()).inline(new byte[8], 0, 8).signaled(1);
    ends.left().queuePair().ringDoorbell();
    Done received = ends.right().awaitOne();
    assertThat(received.id()).isEqualTo(5);
    assertThat(received.status()).isNotEqualTo(CompletionStatus.SUCCESS);
    received.requireExplained(bench, "rkey 0x%x".formatted(region.rkey()));
    assertThat(ends.right().queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    // Another connection of the same domain still uses the key.
    var third =
        Bench.toItself(ends.right().domain().rcQueuePair(ends.right().completions()).create());
    third.write(region.remote(0)).inline(new byte[8], 0, 8).signaled(6);
    third.ringDoorbell();
    ends.right().awaitSuccess(6);
  }

  @Test
  @ExpectsRefusal
  void aPeerInvalidatesTheKeyOfARegionThatAllowsIt(Bench bench) {
    Ends ends = bench.connected();
    Buffer region = ends.right().buffer(64);
    Buffer target = ends.right().buffer(64);
    ends.right().receive(target, 0, 64, 5);
    ends.left().queuePair().sendInvalidate(region.rkey()).inline(new byte[8], 0, 8).signaled(1);
    ends.left().queuePair().ringDoorbell();
    ends.right().awaitSuccess(5);
    ends.left().awaitSuccess(1);
    ends.left().queuePair().write(region.remote(0)).inline(new byte[8], 0, 8).signaled(2);
    ends.left().queuePair().ringDoorbell();
    ends.left().awaitOne(2, CompletionStatus.REMOTE_ACCESS_ERROR, "invalidated");
  }
}
