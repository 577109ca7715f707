package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceiveRequest;
import org.junit.jupiter.api.Test;

/** The requests that the receive queue refuses. Its ring has 8 requests of 2 segments. */
class ReceiveRingTest {
  private final SendBench bench = SendBench.ofSixteen();
  private final ReceiveRing receive = bench.receive;
  private int completed;

  @Test
  void requestsAreCountedUntilTheyComplete() {
    for (int i = 0; i < 8; i++) {
      receive.receive().scatter(0x1000, 64, 7).post(i);
    }
    assertThat(receive.freeRequests()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("full (8 requests)");
    receive.ringDoorbell();
    assertThat(bench.record.hex(0, 4)).isEqualTo("00000008");
    bench.completeReceive(CqeOpcode.RESP_SEND, 0);
    assertThat(bench.poll().id()).isZero();
    assertThat(receive.freeRequests()).isEqualTo(1);
  }

  @Test
  void theSlotAfterTheLastIsTheFirst() {
    for (int i = 0; i < 9; i++) {
      receive.receive().scatter(0x1000 + i, 64, 7).post(i);
      if (i < 8) {
        receive.ringDoorbell();
        bench.completeReceive(CqeOpcode.RESP_SEND, i);
        assertThat(bench.poll().id()).isEqualTo(i);
      }
    }
    assertThat(bench.receiveMemory.hex(8, 8)).isEqualTo("0000000000001008");
  }

  @Test
  void moreSegmentsThanTheQueueHasAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                receive
                    .receive()
                    .scatter(0x1000, 8, 7)
                    .scatter(0x2000, 8, 7)
                    .scatter(0x3000, 8, 7)
                    .post(1))
        .withMessageContaining("at most 2 segments")
        .withMessageContaining("maxScatter");
    receive.receive().scatter(0x1000, 8, 7).scatter(0x2000, 8, 7).post(2);
    assertThat(receive.freeRequests()).isEqualTo(7);
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> receive.receive().scatter(0x1000, -8, 7).post(1));
    assertThat(receive.freeRequests()).isEqualTo(8);
  }

  @Test
  void onlyOneRequestIsBuiltAtATime() {
    ReceiveRequest half = receive.receive().scatter(0x1000, 0, 7);
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("half built");
    assertThatIllegalStateException()
        .isThrownBy(receive::ringDoorbell)
        .withMessageContaining("half built");
    half.post(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> half.post(2))
        .withMessageContaining("already ended");
    assertThat(receive.freeRequests()).isEqualTo(7);
  }

  @Test
  void anUnfinishedRequestCanBeDropped() {
    ReceiveRequest half = receive.receive().scatter(0x1000, 8, 7);
    assertThat(receive.dropUnfinished()).isTrue();
    assertThat(receive.dropUnfinished()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> half.post(1));
    assertThat(receive.freeRequests()).isEqualTo(8);
  }

  @Test
  void aClosedQueueRefusesRequestsAndRingsNowhere() {
    receive.receive().empty().post(1);
    receive.close();
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("QP 0x1234 is closed");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(receive::ringDoorbell);
    assertThat(bench.record.bytes(0, 4)).containsOnly(TestMemory.POISON);
  }

  @Test
  void aRequestThatIsHalfBuiltWhenTheQueueClosesCannotGoOn() {
    ReceiveLanding half = receive.receive();
    receive.close();
    assertThatIllegalStateException().isThrownBy(() -> half.scatter(0x1000, 64, 7));
    assertThatIllegalStateException().isThrownBy(half::empty);
  }

  @Test
  void aResetQueueStartsAtIndexZero() {
    receive.receive().scatter(0x1000, 8, 7).post(1);
    receive.ringDoorbell();
    receive.reset();
    assertThat(bench.record.hex(0, 4)).isEqualTo("00000000");
    assertThat(receive.freeRequests()).isEqualTo(8);
    receive.receive().scatter(0x5000, 8, 7).post(2);
    assertThat(bench.receiveMemory.hex(8, 8)).isEqualTo("0000000000005000");
  }

  private void fill() {
    for (int i = 0; i < 8; i++) {
      receive.receive().scatter(0x1000 + i, 64, 7).post(10 + i);
    }
    receive.ringDoorbell();
  }

  private void complete(int... ids) {
    for (int id : ids) {
      bench.completeReceive(CqeOpcode.RESP_SEND, completed++);
      assertThat(bench.poll().id()).isEqualTo(id);
    }
  }

  @Test
  void repostedRequestsKeepTheirMemoryAndIds() {
    fill();
    complete(10, 11, 12);
    String written = bench.receiveMemory.hex(0, 8 * 32);
    receive.repost(2);
    assertThat(receive.freeRequests()).isEqualTo(1);
    assertThat(bench.record.hex(0, 4)).as("before the doorbell").isEqualTo("00000008");
    receive.ringDoorbell();
    assertThat(bench.record.hex(0, 4)).isEqualTo("0000000a");
    assertThat(bench.receiveMemory.hex(0, 8 * 32)).isEqualTo(written);
    complete(13, 14, 15, 16, 17, 10, 11);
    assertThat(receive.freeRequests()).isEqualTo(8);
  }

  @Test
  void aRequestAfterRepostedOnesTakesTheNextSlot() {
    fill();
    complete(10, 11);
    receive.repost(1);
    receive.receive().scatter(0x9000, 64, 7).post(99);
    receive.ringDoorbell();
    assertThat(bench.receiveMemory.hex(32 + 8, 8)).isEqualTo("0000000000009000");
    complete(12, 13, 14, 15, 16, 17, 10, 99);
    receive.repost(8);
    receive.ringDoorbell();
    complete(12, 13, 14, 15, 16, 17, 10, 99);
  }

  @Test
  void requestsAreRepostedOnlyWhenEachSlotHoldsOne() {
    receive.receive().scatter(0x1000, 64, 7).post(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.repost(1))
        .withMessageContaining("only 1 of the 8 slots");
    receive.repost(0);
    receive.reset();
    fill();
    complete(10);
    receive.repost(1);
    receive.reset();
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.repost(1))
        .withMessageContaining("only 0 of the 8 slots");
  }

  @Test
  void noMoreRequestsAreRepostedThanTheQueueHasRoomFor() {
    fill();
    assertThatExceptionOfType(QueueFullException.class)
        .isThrownBy(() -> receive.repost(1))
        .withMessageContaining("full (8 requests)");
    complete(10, 11);
    assertThatExceptionOfType(QueueFullException.class)
        .isThrownBy(() -> receive.repost(3))
        .withMessageContaining("room for 2 requests, not for 3");
    assertThatIllegalArgumentException().isThrownBy(() -> receive.repost(-1));
    assertThat(receive.freeRequests()).isEqualTo(2);
  }

  @Test
  void nothingIsRepostedWhileARequestIsUnfinishedOrTheQueueIsClosed() {
    fill();
    complete(10, 11);
    ReceiveRequest half = receive.receive().scatter(0x1000, 8, 7);
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.repost(1))
        .withMessageContaining("half built");
    half.post(1);
    receive.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> receive.repost(1));
  }

  @Test
  void aSlotWhoseRequestWasDroppedIsRepostedOnlyAfterAnotherWasPostedThere() {
    fill();
    complete(10, 11);
    receive.repost(1);
    ReceiveRequest half = receive.receive().scatter(0x9000, 8, 7);
    assertThat(receive.dropUnfinished()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.repost(1))
        .withMessageContaining("only 7 of the 8 slots");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> receive.receive().scatter(0x9000, 8, 7).scatter(0x9000, -1, 7));
    assertThatIllegalStateException().isThrownBy(() -> receive.repost(1));
    receive.receive().scatter(0x9000, 64, 7).post(99);
    receive.ringDoorbell();
    complete(12, 13, 14, 15, 16, 17, 10, 99);
    receive.repost(8);
    receive.ringDoorbell();
    complete(12, 13, 14, 15, 16, 17, 10, 99);
    assertThatIllegalStateException().isThrownBy(() -> half.post(1));
  }

  @Test
  void aDroppedRequestThatWroteNothingLeavesItsSlotAsItWas() {
    fill();
    complete(10, 11);
    assertThatIllegalArgumentException().isThrownBy(() -> receive.receive().scatter(0x9000, -1, 7));
    receive.repost(2);
  }

  @Test
  void aDroppedRequestDoesNotFillASlotOfAQueueThatWasNeverFull() {
    receive.receive().scatter(0x1000, 64, 7).post(1);
    ReceiveRequest half = receive.receive().scatter(0x9000, 8, 7);
    assertThat(receive.dropUnfinished()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.repost(1))
        .withMessageContaining("only 1 of the 8 slots");
    assertThatIllegalStateException().isThrownBy(() -> half.post(1));
  }

  @Test
  void layoutsThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceiveRingLayout(0x1000, 16, 4, 1, 0x2000, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceiveRingLayout(0x1000, 4, 12, 1, 0x2000, 0));
  }
}
