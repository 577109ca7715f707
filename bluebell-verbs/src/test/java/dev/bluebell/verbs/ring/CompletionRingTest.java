package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests a completion retires, and how invalid completions are handled. */
class CompletionRingTest {
  private final SendBench bench = SendBench.ofSixteen();
  private final SendRing send = bench.send;

  @Test
  void anEmptyQueueGivesNothing() {
    assertThat(bench.completions.poll()).isNull();
    assertThat(bench.completions.poll(c -> {}, 16)).isZero();
    assertThat(bench.completions.isReady()).isFalse();
    assertThat(bench.completionRecord.bytes(0, 4)).containsOnly(TestMemory.POISON);
  }

  @Test
  void oneSignalledCompletionRetiresAllEarlierRequests() {
    for (int i = 0; i < 3; i++) {
      send.nop().unsignaled(i);
    }
    send.request().write(0x1000, 7).inline(new byte[100], 0, 100).unsignaled(3);
    bench.postSmall(4);
    bench.postSmall(5);
    send.ringDoorbell();
    bench.complete(6);
    assertThat(bench.poll().id()).isEqualTo(4);
    assertThat(send.freeWqebbs()).isEqualTo(15);
    bench.complete(7);
    assertThat(bench.poll().id()).isEqualTo(5);
    assertThat(send.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void aCompletionFreesAllWqebbsOfItsRequest() {
    send.request().write(0x1000, 7).inline(new byte[200], 0, 200).signaled(1);
    assertThat(send.freeWqebbs()).isEqualTo(12);
    send.ringDoorbell();
    bench.complete(0);
    assertThat(bench.poll().id()).isEqualTo(1);
    assertThat(send.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void errorsAndFlushesOfUnsignalledRequestsAreReportedWithTheirIds() {
    for (int i = 0; i < 4; i++) {
      send.nop().unsignaled(10 + i);
    }
    send.ringDoorbell();
    bench.fail(1, Syndrome.REMOTE_ACCESS_ERR);
    bench.fail(2, Syndrome.WR_FLUSH_ERR);
    bench.fail(3, Syndrome.WR_FLUSH_ERR);
    Completion failure = bench.poll();
    assertThat(failure.id()).isEqualTo(11);
    assertThat(failure.status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    assertThat(failure.isSuccess()).isFalse();
    assertThat(failure.vendorSyndrome()).isEqualTo(0x51);
    assertThat(failure.opcode()).isEqualTo(WorkOpcode.RDMA_WRITE);
    assertThat(failure.explanation())
        .contains("RDMA_WRITE of QP 0x1234", "REMOTE_ACCESS_ERR", "0x51", "rkey");
    assertThat(bench.poll().id()).isEqualTo(12);
    assertThat(bench.poll().status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(send.freeWqebbs()).isEqualTo(16);
  }

  @ParameterizedTest(name = "a ring of 2^{0}")
  @ValueSource(ints = {1, 2, 3, 4, 6})
  void aPollTakesAllCompletionsInOrderFromAnyPlaceInTheRing(int logEntries) {
    SendBench ring = new SendBench(6, 64, false, logEntries);
    List<Long> ids = new ArrayList<>();
    int posted = 0;
    for (int count : new int[] {1, 2, 64, 33, 17, 9, 8, 7, 64, 3, 30, 16, 64, 63, 5, 64}) {
      int now = Math.min(count, 1 << logEntries);
      for (int i = 0; i < now; i++) {
        ring.send.nop().signaled(posted + i);
        ring.send.ringDoorbell();
        ring.complete(posted + i & 0xffff);
      }
      posted += now;
      assertThat(ring.completions.poll(completion -> ids.add(completion.id()), 100)).isEqualTo(now);
    }
    assertThat(ids).isEqualTo(LongStream.range(0, posted).boxed().toList());
    assertThat(ring.completions.poll(completion -> ids.add(0L), 100)).isZero();
  }

  @Test
  void aSyndromeWithoutANameIsAGeneralErrorThatKeepsItsNumber() {
    send.nop().signaled(1);
    send.ringDoorbell();
    bench.fail(0, 0x77);
    Completion failure = bench.poll();
    assertThat(failure.status()).isEqualTo(CompletionStatus.GENERAL_ERROR);
    assertThat(failure.syndrome()).isEqualTo(0x77);
    assertThat(failure.explanation()).contains("0x77");
  }

  @Test
  void aReceiveCompletionCarriesWhatThePeerSent() {
    for (int i = 0; i < 3; i++) {
      bench.receive.receive().scatter(0x1000, 64, 7).post(i);
    }
    bench.receive.ringDoorbell();
    bench.completeReceive(CqeOpcode.RESP_SEND_IMM, 0);
    bench.completeReceive(CqeOpcode.RESP_WR_IMM, 1);
    bench.completeReceive(CqeOpcode.RESP_SEND_INV, 2);
    Completion sent = bench.poll();
    assertThat(sent.id()).isZero();
    assertThat(sent.opcode()).isEqualTo(WorkOpcode.RECEIVE);
    assertThat(sent.hasImmediate()).isTrue();
    assertThat(sent.immediate()).isEqualTo(0x11223344);
    assertThat(sent.byteCount()).isEqualTo(100);
    assertThat(sent.queuePairNumber()).isEqualTo(SendBench.QPN);
    Completion written = bench.poll();
    assertThat(written.id()).isEqualTo(1);
    assertThat(written.opcode()).isEqualTo(WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
    Completion invalidated = bench.poll();
    assertThat(invalidated.hasImmediate()).isFalse();
    assertThat(invalidated.hasInvalidatedRkey()).isTrue();
    assertThat(invalidated.invalidatedRkey()).isEqualTo(0x11223344);
  }

  @Test
  void aFailedReceiveIsReportedWithItsId() {
    bench.receive.receive().empty().post(77);
    bench.receive.ringDoorbell();
    bench.write(
        CqeOpcode.RESP_ERR,
        0,
        SendBench.QPN,
        bench.userIndex,
        0,
        Cqe.errorWord(0, Syndrome.LOCAL_LENGTH_ERR));
    Completion failure = bench.poll();
    assertThat(failure.id()).isEqualTo(77);
    assertThat(failure.opcode()).isEqualTo(WorkOpcode.RECEIVE);
    assertThat(failure.status()).isEqualTo(CompletionStatus.LOCAL_LENGTH_ERROR);
  }

  @Test
  void theSlotIsFreeBeforeTheHandlerRunsAndTheViewKeepsItsContents() {
    SendBench tiny = new SendBench(4, 256, false, 0);
    tiny.postSmall(1);
    tiny.postSmall(2);
    tiny.send.ringDoorbell();
    List<Long> ids = new ArrayList<>();
    tiny.complete(0);
    int polled =
        tiny.completions.poll(
            completion -> {
              if (ids.isEmpty()) {
                assertThat(tiny.consumerIndex()).isEqualTo(1);
                tiny.write(CqeOpcode.REQ_ERR, 0x10, SendBench.QPN, tiny.userIndex, 1, -1);
                assertThat(completion.isSuccess()).isTrue();
                assertThat(completion.opcode()).isEqualTo(WorkOpcode.RDMA_WRITE);
                assertThat(completion.timestamp()).isZero();
              }
              ids.add(completion.id());
            },
            16);
    assertThat(polled).isEqualTo(2);
    assertThat(ids).containsExactly(1L, 2L);
  }

  @Test
  void aCompletionWhoseHandlerThrowsIsConsumed() {
    bench.postSmall(1);
    bench.postSmall(2);
    send.ringDoorbell();
    bench.complete(0);
    bench.complete(1);
    RuntimeException failure = new RuntimeException("from the handler");
    assertThatThrownBy(
            () ->
                bench.completions.poll(
                    completion -> {
                      throw failure;
                    },
                    16))
        .isSameAs(failure);
    assertThat(bench.consumerIndex()).isEqualTo(1);
    assertThat(bench.poll().id()).isEqualTo(2);
  }

  @Test
  void aPollConsumesAtMostTheRequestedNumber() {
    for (int i = 0; i < 5; i++) {
      bench.postSmall(i);
      send.ringDoorbell();
      bench.complete(i);
    }
    assertThat(bench.completions.poll(c -> {}, 3)).isEqualTo(3);
    assertThat(bench.completions.poll(c -> {}, 3)).isEqualTo(2);
  }

  @Test
  void aCompletionForARequestThatWasNeverRungIsAnError() {
    bench.postSmall(1);
    bench.complete(0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("WQE index 0, where none is outstanding");
    assertThat(bench.consumerIndex()).isEqualTo(1);
  }

  @Test
  void aCompletionInTheMiddleOfARequestIsAnError() {
    send.request().write(0x1000, 7).inline(new byte[200], 0, 200).signaled(1);
    send.ringDoorbell();
    bench.complete(2);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("WQE index 2, where none is outstanding");
    bench.complete(0);
    assertThat(bench.poll().id()).isEqualTo(1);
  }

  @Test
  void aSecondCompletionOfARequestIsAnError() {
    bench.postSmall(1);
    bench.postSmall(2);
    send.ringDoorbell();
    bench.complete(0);
    bench.complete(0);
    assertThat(bench.poll().id()).isEqualTo(1);
    assertThatIllegalStateException().isThrownBy(bench::poll);
    bench.complete(1);
    assertThat(bench.poll().id()).isEqualTo(2);
  }

  @Test
  void receivesCompleteInOrderOrNotAtAll() {
    bench.completeReceive(CqeOpcode.RESP_SEND, 0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("none is outstanding");
    bench.receive.receive().empty().post(1);
    bench.receive.receive().empty().post(2);
    bench.completeReceive(CqeOpcode.RESP_SEND, 0);
    assertThatIllegalStateException()
        .as("the receive was not rung")
        .isThrownBy(bench::poll)
        .withMessageContaining("none is outstanding");
    bench.receive.ringDoorbell();
    bench.completeReceive(CqeOpcode.RESP_SEND, 1);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("request 0 is the next");
  }

  @Test
  void aReceiveCompletionOfAQueuePairWithoutReceiveQueueIsAnError() {
    int index = bench.queues.reserve();
    bench.queues.set(index, new WorkQueues(0x99, send, null));
    bench.write(CqeOpcode.RESP_SEND, 0, 0x99, index, 0, 0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("QP 0x99, which has none");
  }

  @Test
  void anUnknownUserIndexIsAnError() {
    bench.write(CqeOpcode.REQ, 0, 0x99, 77, 0, 0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessage("completion 0 of CQ 0x56 names user index 77, which no queue pair ever had");
    assertThat(bench.consumerIndex()).isEqualTo(1);
  }

  @Test
  void aQueuePairNumberThatDoesNotFitTheUserIndexIsAnError() {
    bench.write(CqeOpcode.REQ, 0, 0x99, bench.userIndex, 0, 0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("names QP 0x99 with user index 0, which belongs to QP 0x1234");
  }

  @Test
  void compressedEntriesOfAQueueWithoutCompressionAreAnError() {
    bench.postSmall(1);
    send.ringDoorbell();
    bench.write(Cqe.opOwn(CqeOpcode.REQ, false, 0) | 0x0c, 8, SendBench.QPN, 0, 0, 0, 0, 0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("is compressed, and the queue was created without compression");
  }

  @Test
  void anUnknownOpcodeIsAnError() {
    bench.write(CqeOpcode.NO_PACKET, 0, SendBench.QPN, bench.userIndex, 0, 0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("completion 0 of CQ 0x56 has opcode NO_PACKET");
  }

  @Test
  void completionsOfAClosedQueuePairArePassedOver() {
    bench.postSmall(1);
    bench.postSmall(2);
    send.ringDoorbell();
    bench.complete(0);
    bench.complete(1);
    assertThat(bench.poll().id()).isEqualTo(1);
    bench.queues.release(bench.userIndex, bench.completions);
    assertThat(bench.completions.poll()).isNull();
    assertThat(bench.consumerIndex()).isEqualTo(2);
  }

  @Test
  void theUserIndexOfAClosedQueuePairIsUsedAgainOnlyAfterItsCompletionsAreGone() {
    bench.postSmall(1);
    bench.postSmall(2);
    send.ringDoorbell();
    bench.complete(0);
    bench.complete(1);
    assertThat(bench.poll().id()).isEqualTo(1);
    bench.queues.release(bench.userIndex, bench.completions);
    assertThat(bench.queues.reserve()).isEqualTo(1);
    assertThat(bench.completions.poll()).isNull();
    assertThat(bench.queues.reserve()).isEqualTo(bench.userIndex);
    assertThat(bench.queues.reserve()).isEqualTo(2);
  }

  @Test
  void theUserIndexIsUsedAgainAlsoIfItsCompletionQueueIsNeverEmpty() {
    bench.completionRecord.write(0, new byte[DoorbellRecord.BYTES]);
    int index = bench.queues.reserve();
    bench.queues.set(index, new WorkQueues(0x99, SendBench.ofSixteen().send, null));
    bench.queues.release(index, bench.completions);
    completeNext(0);
    for (int polls = 0; polls < bench.completions.entries(); polls++) {
      assertThat(bench.queues.reserve()).as("after %d polls", polls).isNotEqualTo(index);
      completeNext(polls + 1);
      assertThat(bench.poll().id()).isEqualTo(polls);
    }
    assertThat(bench.queues.reserve()).isEqualTo(index);
  }

  private void completeNext(int number) {
    bench.postSmall(number);
    send.ringDoorbell();
    bench.complete(number);
  }

  @Test
  void aQueuePairWhoseCompletionsAreNotPolledKeepsOnlyItsOwnUserIndex() {
    bench.postSmall(1);
    send.ringDoorbell();
    bench.complete(0);
    bench.queues.release(bench.userIndex, bench.completions);
    SendBench other = SendBench.ofSixteen();
    other.completionRecord.write(0, new byte[DoorbellRecord.BYTES]);
    int index = bench.queues.reserve();
    bench.queues.set(index, new WorkQueues(0x99, other.send, null));
    bench.queues.release(index, other.completions);
    assertThat(List.of(bench.queues.reserve(), bench.queues.reserve())).contains(index);
  }

  @Test
  void theUserIndexIsFreeWhenTheCompletionQueueIsClosed() {
    bench.queues.release(bench.userIndex, bench.completions);
    bench.completions.close();
    assertThat(bench.queues.reserve()).isEqualTo(bench.userIndex);
  }

  @Test
  void completionsFromBeforeAResetAreDiscarded() {
    bench.postSmall(1);
    bench.postSmall(2);
    send.ringDoorbell();
    bench.complete(0);
    bench.complete(1);
    int other = bench.queues.reserve();
    SendBench elsewhere = SendBench.ofSixteen();
    bench.queues.set(other, new WorkQueues(0x99, elsewhere.send, null));
    elsewhere.postSmall(50);
    elsewhere.send.ringDoorbell();
    bench.write(CqeOpcode.REQ, 0x08, 0x99, other, 0, 0);
    bench.completions.discard(SendBench.QPN);
    send.reset();
    bench.postSmall(3);
    send.ringDoorbell();
    bench.complete(0);
    List<Long> ids = new ArrayList<>();
    bench.completions.poll(c -> ids.add(c.id()), 16);
    assertThat(ids).containsExactly(50L, 3L);
  }

  @Test
  void discardingLooksAtAFullRingOnce() {
    SendBench small = new SendBench(4, 256, false, 1);
    small.postSmall(1);
    small.postSmall(2);
    small.send.ringDoorbell();
    small.complete(0);
    small.complete(1);
    small.completions.discard(SendBench.QPN);
    assertThat(small.completions.poll()).isNull();
    assertThat(small.consumerIndex()).isEqualTo(2);
  }

  @Test
  void theArmSequenceCountsEvents() {
    bench.completions.arm(false);
    assertThat(bench.completionRecord.hex(4, 4)).isEqualTo("00000000");
    bench.completions.eventTaken();
    bench.completions.arm(true);
    assertThat(bench.completionRecord.hex(4, 4)).isEqualTo("11000000");
    assertThat(bench.completionRegister.hex(0, 8)).isEqualTo("1100000000000056");
    for (int i = 0; i < 3; i++) {
      bench.completions.eventTaken();
    }
    bench.completions.arm(false);
    assertThat(bench.completionRecord.hex(4, 4)).isEqualTo("00000000");
  }

  @Test
  void aClosedQueueArmsNowhere() {
    bench.completions.close();
    bench.completions.arm(false);
    assertThat(bench.completionRecord.bytes()).containsOnly(TestMemory.POISON);
    assertThat(bench.completionRegister.bytes()).containsOnly(TestMemory.POISON);
  }

  @Test
  void layoutsThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CompletionRingLayout(0x1000, 25, 64, 1, 0x2000, 0x3000));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CompletionRingLayout(0x1000, 4, 32, 1, 0x2000, 0x3000));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CompletionRingLayout(0x1008, 4, 64, 1, 0x2000, 0x3000));
  }
}
