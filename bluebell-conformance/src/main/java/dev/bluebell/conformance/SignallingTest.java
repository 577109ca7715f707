package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WorkOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Signalling: which requests get a completion, and which others it implies. */
@Conformance
class SignallingTest {

  @Test
  void oneSignalledCompletionReleasesAllEarlierRequests(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.sendQueue(8)).connect();
    RcQueuePair left = ends.left().queuePair();
    Buffer target = ends.right().buffer(64);
    byte[] one = {1};
    for (int i = 0; i < 7; i++) {
      left.write(target.remote(i)).inline(one, 0, 1).unsignaled(i);
    }
    left.write(target.remote(7)).inline(one, 0, 1).signaled(7);
    assertThat(left.freeWqebbs()).isZero();
    ends.left().complete(7);
    assertThat(left.freeWqebbs()).isEqualTo(8);
    assertThat(target.bytes(0, 8)).containsOnly(1);
  }

  @Test
  void unsignalledSuccessesMakeNoCompletions(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < 10; i++) {
      left.nop().unsignaled(i);
    }
    left.nop().signaled(100);
    ends.left().complete(100);
    bench.expectCalm(ends.left().completions());
  }

  @Test
  @ExpectsRefusal
  void anErrorOfAnUnsignalledRequestIsReportedWithItsId(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair left = ends.left().queuePair();
    Buffer source = ends.left().buffer(8);
    Buffer target = ends.right().buffer(8);
    left.write(target.remote(0)).gather(source.region(), 0, 8).unsignaled(1);
    left.write(target.address(0), target.rkey() ^ 0x100)
        .gather(source.region(), 0, 8)
        .unsignaled(2);
    left.write(target.remote(0)).gather(source.region(), 0, 8).unsignaled(3);
    left.ringDoorbell();
    List<Done> done = ends.left().await(2);
    done.get(0).require(2, CompletionStatus.REMOTE_ACCESS_ERROR);
    done.get(1).require(3, CompletionStatus.WORK_REQUEST_FLUSHED);
  }

  @Test
  void theUnsignalledRequestThatWouldFillTheQueueIsRefused(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.sendQueue(4)).connect();
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < 3; i++) {
      left.nop().unsignaled(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> left.nop().unsignaled(3))
        .withMessageContaining("unsignalled")
        .withMessageContaining("signaled(id)");
    // The request was dropped; a signalled one takes its place and retires all.
    left.nop().signaled(4);
    ends.left().complete(4);
    assertThat(left.freeWqebbs()).isEqualTo(4);
  }

  @Test
  void aFullQueueRefusesRequests(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.sendQueue(4)).connect();
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < 4; i++) {
      left.nop().signaled(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> left.nop().signaled(4))
        .withMessageContaining("full");
    left.ringDoorbell();
    ends.left().await(4);
  }

  @Test
  void aNopCompletesInItsTurn(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair left = ends.left().queuePair();
    Buffer source = ends.left().buffer(1 << 20).fill(1);
    Buffer target = ends.right().buffer(1 << 20);
    left.write(target.remote(0)).gather(source.region(), 0, 1 << 20).signaled(1);
    left.nop().signaled(2);
    left.read(target.remote(0)).scatter(source.region(), 0, 1 << 20).signaled(3);
    left.nop().signaled(4);
    left.ringDoorbell();
    assertThat(ends.left().awaitInOrder(4, 1).get(1).opcode()).isEqualTo(WorkOpcode.NOP);
  }

  @Test
  void aSolicitedMessageIsMarkedInTheReceiversCompletion(Bench bench) {
    Ends ends = bench.connected();
    ends.right().receiveNothing(2, 1);
    ends.left().queuePair().send().solicited().signaled(1);
    ends.left().sendNothing(2);
    List<Done> received = ends.right().await(2);
    assertThat(received).extracting(Done::solicited).containsExactly(true, false);
  }

  @Test
  void completionsNameTheirQueuePair(Bench bench) {
    Ends ends = bench.connected();
    ends.right().receiveNothing(1, 1);
    ends.left().sendNothing(1);
    assertThat(ends.left().awaitSuccess(1).queuePairNumber())
        .isEqualTo(ends.left().queuePair().number());
    assertThat(ends.right().awaitSuccess(1).queuePairNumber())
        .isEqualTo(ends.right().queuePair().number());
  }
}
