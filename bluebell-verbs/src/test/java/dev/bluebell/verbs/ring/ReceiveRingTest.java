package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.ReceiveRequest;
import org.junit.jupiter.api.Test;

/** The requests that the receive queue refuses. Its ring has 8 requests of 2 segments. */
class ReceiveRingTest {
  private final SendBench bench = SendBench.ofSixteen();
  private final ReceiveRing receive = bench.receive;

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
    assertThat(receive.maxScatter()).isEqualTo(2);
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
        .withMessageContaining("already posted");
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
  void aResetQueueStartsAtIndexZero() {
    receive.receive().scatter(0x1000, 8, 7).post(1);
    receive.ringDoorbell();
    receive.reset();
    assertThat(bench.record.hex(0, 4)).isEqualTo("00000000");
    assertThat(receive.freeRequests()).isEqualTo(8);
    receive.receive().scatter(0x5000, 8, 7).post(2);
    assertThat(bench.receiveMemory.hex(8, 8)).isEqualTo("0000000000005000");
  }

  @Test
  void layoutsThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceiveRingLayout(0x1000, 16, 4, 1, 0x2000, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceiveRingLayout(0x1000, 4, 12, 1, 0x2000, 0));
  }
}
