package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.WorkOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable connected queue pairs (UC). */
@Conformance
class UnreliableQueuePairTest {
  private static final int MORE_THAN_A_PACKET = 10_000;

  /** Two connected queue pairs over memory of one domain. */
  private static final class Two extends Setup {
    private final Buffer source;
    private final Buffer target;
    private final UcQueuePair left;
    private final UcQueuePair right;

    Two(Bench bench) {
      super(bench);
      source = buffer(1 << 16).fill(1);
      target = buffer(1 << 16).fill(2);
      left = domain.ucQueuePair(sends).receiveCompletions(receives).create();
      right = domain.ucQueuePair(sends).receiveCompletions(receives).create();
      Bench.connect(left, right);
    }

    void receive(int bytes, long id) {
      right.receive().scatter(target.region(), 0, bytes).post(id);
      right.ringReceiveDoorbell();
    }

    /** Sends 8 bytes repeatedly until they arrive. */
    Done deliver(long id) {
      return bench.awaitDelivery(
          receives,
          () -> {
            left.sendImmediate(5).inline(new byte[8], 0, 8).signaled(id);
            left.ringDoorbell();
            awaitSend().requireSuccess(id);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, MORE_THAN_A_PACKET})
  void aSendArrives(int size, Bench bench) {
    Two two = new Two(bench);
    two.receive(size, 7);
    Runnable send =
        () -> {
          two.left.send().gather(two.source.region(), 0, size).signaled(1);
          two.left.ringDoorbell();
          assertThat(two.awaitSend().requireSuccess(1).opcode()).isEqualTo(WorkOpcode.SEND);
        };
    Done received = bench.awaitDelivery(two.receives, send).requireSuccess(7);
    assertThat(received.byteCount()).isEqualTo(size);
    assertThat(two.target.bytes(0, size)).isEqualTo(two.source.bytes(0, size));
  }

  @Test
  @ExpectsDelivery
  void aWriteArrivesAndItsImmediateNotifiesTheReceiver(Bench bench) {
    Two two = new Two(bench);
    two.right.receive().empty().post(8);
    two.right.ringReceiveDoorbell();
    int size = MORE_THAN_A_PACKET;
    two.left.write(two.target.remote(0)).gather(two.source.region(), 0, size).unsignaled(2);
    two.left
        .writeImmediate(two.target.remote(size), 0x01020304)
        .gather(two.source.region(), size, 100)
        .signaled(3);
    two.left.ringDoorbell();
    assertThat(two.awaitSend().requireSuccess(3).opcode()).isEqualTo(WorkOpcode.RDMA_WRITE);
    Done received = two.awaitReceive().requireSuccess(8);
    assertThat(received.immediate()).isEqualTo(0x01020304);
    assertThat(received.byteCount()).isEqualTo(100);
    assertThat(two.target.bytes(0, size + 100)).isEqualTo(two.source.bytes(0, size + 100));
  }

  @Test
  void aSendWithoutAReceiveIsDroppedAndSucceeds(Bench bench) {
    Two two = new Two(bench);
    two.left.send().inline(new byte[8], 0, 8).signaled(1);
    two.left.ringDoorbell();
    two.awaitSend().requireSuccess(1);
    bench.expectCalm(two.receives);
    two.receive(8, 2);
    assertThat(two.deliver(3).requireSuccess(2).immediate()).isEqualTo(5);
  }

  @Test
  void aWriteWithoutTheRightIsDropped(Bench bench) {
    Two two = new Two(bench);
    two.right.modifyAccess();
    byte[] before = two.target.bytes();
    two.left.write(two.target.remote(0)).gather(two.source.region(), 0, 64).signaled(1);
    two.left.ringDoorbell();
    two.awaitSend().requireSuccess(1);
    bench.expectCalm(two.receives);
    assertThat(two.target.bytes()).isEqualTo(before);
  }

  @Test
  void aFailedRequestStopsTheSendQueueUntilItIsRestarted(Bench bench) {
    Two two = new Two(bench);
    int wrong = two.source.lkey() ^ 0xff;
    two.left.send().gather(two.source.address(0), 8, wrong).signaled(1);
    two.left.send().inline(new byte[8], 0, 8).signaled(2);
    two.left.ringDoorbell();
    List<Done> failed = bench.await(two.sends, 2);
    failed.get(0).require(1, CompletionStatus.LOCAL_PROTECTION_ERROR);
    failed.get(1).require(2, CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(two.left.query().state()).isEqualTo(QueuePairState.SEND_QUEUE_ERROR);
    two.left.restartSendQueue();
    two.receive(8, 3);
    two.deliver(4).requireSuccess(3);
  }

  @Test
  void afterAResetItConnectsAgain(Bench bench) {
    Two two = new Two(bench);
    two.left.reset();
    two.right.reset();
    Bench.connect(two.left, two.right);
    two.receive(8, 1);
    two.deliver(2).requireSuccess(1);
  }
}
