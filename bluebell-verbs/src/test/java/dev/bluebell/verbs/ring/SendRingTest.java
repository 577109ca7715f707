package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The requests that the send queue refuses, without any trace. */
class SendRingTest {
  private final SendBench bench = SendBench.ofSixteen();
  private final SendRing send = bench.send;

  @Test
  void theProducerIndexMovesWithTheLastCallOnly() {
    RequestData stage = send.request().write(0x1000, 7).gather(0x2000, 8, 9);
    assertThat(send.producerIndex()).isZero();
    assertThat(send.freeWqebbs()).isEqualTo(16);
    stage.signaled(1);
    assertThat(send.producerIndex()).isEqualTo(1);
    assertThat(send.freeWqebbs()).isEqualTo(15);
  }

  @Test
  void anotherRequestCannotStartWhileOneIsHalfBuilt() {
    RequestData half = send.request().send();
    assertThatIllegalStateException()
        .isThrownBy(send::nop)
        .withMessageContaining("QP 0x1234 is half built")
        .withMessageContaining("dropUnfinished");
    half.signaled(1);
    send.nop().signaled(2);
    assertThat(send.producerIndex()).isEqualTo(2);
  }

  @Test
  void theDoorbellCannotRingWhileARequestIsHalfBuilt() {
    RequestData half = send.request().send();
    assertThatIllegalStateException()
        .isThrownBy(send::ringDoorbell)
        .withMessageContaining("half built");
    assertThat(bench.register.bytes()).containsOnly(TestMemory.POISON);
    half.signaled(1);
    send.ringDoorbell();
    assertThat(bench.record.hex(4, 4)).isEqualTo("00000001");
  }

  @Test
  void aStageOfAnEndedRequestCannotBeUsed() {
    RequestData stage = send.request().send();
    stage.signaled(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> stage.signaled(2))
        .withMessageContaining("already ended");
    assertThatIllegalStateException().isThrownBy(() -> stage.gather(0x2000, 8, 9).signaled(3));
    assertThatIllegalStateException().isThrownBy(() -> stage.inline(new byte[4], 0, 4).signaled(4));
    assertThatIllegalStateException().isThrownBy(() -> stage.fence().signaled(5));
    assertThatIllegalStateException().isThrownBy(() -> stage.solicited().unsignaled(6));
    assertThat(send.producerIndex()).isEqualTo(1);
  }

  @Test
  void aStageOfAnEarlierRequestIsDistinguishedFromTheCurrentOne() {
    List<RequestModifiers> earlier = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      RequestModifiers stage = send.nop();
      stage.signaled(i);
      earlier.add(stage);
    }
    RequestModifiers current = send.nop();
    for (RequestModifiers stage : earlier) {
      assertThatIllegalStateException().isThrownBy(() -> stage.fence().signaled(99));
    }
    current.signaled(7);
    assertThat(send.producerIndex()).isEqualTo(8);
  }

  @Test
  void anUnfinishedRequestCanBeDropped() {
    send.nop().signaled(1);
    send.ringDoorbell();
    RequestData half = send.request().write(0x1000, 7).inline(new byte[100], 0, 100);
    assertThat(send.dropUnfinished()).isTrue();
    assertThat(send.dropUnfinished()).isFalse();
    assertThat(send.producerIndex()).isEqualTo(1);
    assertThat(send.freeWqebbs()).isEqualTo(15);
    assertThatIllegalStateException().isThrownBy(() -> half.signaled(2));
    send.nop().signaled(3);
    assertThat(send.producerIndex()).isEqualTo(2);
  }

  @Test
  void requestsPostedBeforeADroppedOneCanStillBeRung() {
    send.request().write(0x1000, 7).gather(0x2000, 8, 9).signaled(1);
    RequestModifiers half = send.nop();
    assertThat(send.dropUnfinished()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> half.signaled(2));
    send.ringDoorbell();
    assertThat(bench.record.hex(4, 4)).isEqualTo("00000001");
    assertThat(bench.register.hex(0, 8)).isEqualTo("0000000800123403");
  }

  @Test
  void aFullRingRefusesARequestBeforeItIsWritten() {
    for (int i = 0; i < 16; i++) {
      bench.postSmall(i);
    }
    byte[] before = bench.sendMemory.bytes();
    assertThatIllegalStateException()
        .isThrownBy(() -> bench.postSmall(16))
        .withMessageContaining("full (0 of 16 WQEBBs free)")
        .withMessageContaining("poll the completion queue");
    assertThat(bench.sendMemory.bytes()).isEqualTo(before);
    assertThat(send.freeWqebbs()).isZero();
  }

  @Test
  void aRequestThatOutgrowsTheFreePartIsRefusedBeforeItIsWrittenThere() {
    for (int i = 0; i < 15; i++) {
      bench.postSmall(i);
    }
    byte[] before = bench.sendMemory.bytes(0, 15 * 64);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                send.request()
                    .write(0x1000, 7)
                    .gather(0x2000, 8, 9)
                    .gather(0x3000, 8, 9)
                    .gather(0x4000, 8, 9)
                    .signaled(15))
        .withMessageContaining("full (1 of 16 WQEBBs free)");
    assertThat(bench.sendMemory.bytes(0, 15 * 64)).isEqualTo(before);
    bench.postSmall(15);
    assertThat(send.freeWqebbs()).isZero();
  }

  @Test
  void roomThatIsFreedWhileARequestIsBuiltIsUsed() {
    for (int i = 0; i < 15; i++) {
      bench.postSmall(i);
    }
    send.ringDoorbell();
    RequestData growing = send.request().write(0x1000, 7).gather(0x2000, 8, 9).gather(0x3000, 8, 9);
    bench.complete(14);
    assertThat(bench.poll().id()).isEqualTo(14);
    growing.gather(0x4000, 8, 9).signaled(15);
    assertThat(send.freeWqebbs()).isEqualTo(14);
  }

  @Test
  void aRequestLongerThanTheQueuesLargestIsRefused() {
    byte[] data = new byte[256];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> send.request().write(0x1000, 7).inline(data, 0, 221).signaled(1))
        .withMessageContaining("longer than the 256")
        .withMessageContaining("maxInline");
    send.request().write(0x1000, 7).inline(data, 0, 220).signaled(1);
    RequestData gathering = send.request().send();
    for (int i = 0; i < 15; i++) {
      gathering = gathering.gather(0x2000, 8, 9);
    }
    RequestData full = gathering;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> full.gather(0x2000, 8, 9).signaled(2))
        .withMessageContaining("maxGather");
    assertThat(send.producerIndex()).isEqualTo(4);
  }

  @Test
  void sixtyThreeUnitsAreTheMost() {
    SendBench large = new SendBench(6, 1024, false);
    assertThat(large.send.maxWqeBytes()).isEqualTo(1008);
    byte[] data = new byte[1024];
    large.send.request().send().inline(data, 0, 1008 - 16 - 4).signaled(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> large.send.request().send().inline(data, 0, 1008 - 16 - 3).signaled(2));
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> send.request().send().gather(0x2000, -1, 9).signaled(1))
        .withMessageContaining("-1 bytes");
    assertThatThrownBy(() -> send.request().send().inline(new byte[4], 0, -1).signaled(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(send.dropUnfinished()).isFalse();
  }

  @Test
  void inlineDataOutsideItsSourceIsRefused() {
    byte[] array = new byte[8];
    MemorySegment segment = MemorySegment.ofArray(array);
    assertThatThrownBy(() -> send.request().send().inline(array, 4, 5).signaled(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> send.request().send().inline(segment, 4, 5).signaled(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> send.request().send().inline(segment, -1, 5).signaled(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(send.dropUnfinished()).isFalse();
    assertThat(send.producerIndex()).isZero();
  }

  @Test
  void inlineDataOfAClosedArenaIsRefused() {
    Arena arena = Arena.ofConfined();
    MemorySegment segment = arena.allocate(64);
    arena.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> send.request().send().inline(segment, 0, 32).signaled(1));
    assertThat(send.dropUnfinished()).isFalse();
  }

  @Test
  void theUnsignalledRequestThatWouldFillTheRingIsRefused() {
    for (int i = 0; i < 15; i++) {
      send.nop().unsignaled(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> send.nop().unsignaled(15))
        .withMessageContaining("full of unsignalled requests")
        .withMessageContaining("signaled(id)");
    send.nop().signaled(15);
    assertThat(send.freeWqebbs()).isZero();
  }

  @Test
  void unsignalledRequestsMayFillTheRingBehindASignalledOne() {
    send.nop().signaled(0);
    for (int i = 1; i < 16; i++) {
      send.nop().unsignaled(i);
    }
    assertThat(send.freeWqebbs()).isZero();
    send.ringDoorbell();
    bench.complete(0);
    assertThat(bench.poll().id()).isZero();
    assertThat(send.freeWqebbs()).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> send.nop().unsignaled(16))
        .withMessageContaining("unsignalled");
  }

  @Test
  void aRingWithoutASignalledRequestSaysWhyItStaysFull() {
    for (int i = 0; i < 15; i++) {
      send.nop().unsignaled(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> send.request().write(0x1000, 7).inline(new byte[64], 0, 64).signaled(15))
        .withMessageContaining("none of its requests is signalled");
  }

  @Test
  void ringingWithoutNewRequestsDoesNothing() {
    send.ringDoorbell();
    assertThat(bench.register.bytes()).containsOnly(TestMemory.POISON);
    send.nop().signaled(1);
    send.ringDoorbell();
    byte[] after = bench.register.bytes();
    send.ringDoorbell();
    assertThat(bench.register.bytes()).isEqualTo(after);
  }

  @Test
  void aBatchIsRungWithItsLastRequestAndBuffersAlternate() {
    send.nop().signaled(0);
    send.nop().signaled(1);
    send.ringDoorbell();
    assertThat(bench.register.hex(0, 8)).isEqualTo("0000010000123401");
    assertThat(bench.register.bytes(256, 8)).containsOnly(TestMemory.POISON);
    send.nop().signaled(2);
    send.ringDoorbell();
    assertThat(bench.register.hex(256, 8)).isEqualTo("0000020000123401");
    assertThat(bench.record.hex(4, 4)).isEqualTo("00000003");
  }

  @Test
  void aClosedQueueRefusesRequestsAndRingsNowhere() {
    send.nop().signaled(1);
    send.close();
    assertThatIllegalStateException()
        .isThrownBy(send::nop)
        .withMessageContaining("QP 0x1234 is closed");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(send::ringDoorbell);
    assertThat(bench.record.bytes(4, 4)).containsOnly(TestMemory.POISON);
    assertThat(bench.register.bytes()).containsOnly(TestMemory.POISON);
  }

  @Test
  void aRequestThatIsHalfBuiltWhenTheQueueClosesCannotGoOn() {
    RequestData half = send.request().send();
    send.close();
    assertThatIllegalStateException().isThrownBy(() -> half.gather(0x2000, 8, 9));
    assertThatIllegalStateException().isThrownBy(() -> half.signaled(1));
    assertThatExceptionOfType(ClosedException.class).isThrownBy(send::nop);
  }

  @Test
  void aQueueThatAnotherThreadPollsNeverSeemsStuck() throws InterruptedException {
    SendBench small = new SendBench(2, 64, false);
    AtomicInteger rung = new AtomicInteger();
    int requests = 3_000;
    Thread poller =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int counter = 0; counter < requests; counter++) {
                    while (rung.get() <= counter) {
                      Thread.onSpinWait();
                    }
                    small.complete(counter);
                    small.poll();
                  }
                });
    for (int i = 0; i < requests; ) {
      try {
        small.send.nop().signaled(i);
        small.send.ringDoorbell();
        rung.set(++i);
      } catch (QueueFullException full) {
        // Also throws if the queue seems stuck.
        while (!small.send.hasRoom()) {
          Thread.onSpinWait();
        }
      }
    }
    poller.join();
    assertThat(small.send.freeWqebbs()).isEqualTo(4);
  }

  @Test
  void aResetQueueStartsAtIndexZero() {
    for (int i = 0; i < 5; i++) {
      bench.postSmall(i);
    }
    send.ringDoorbell();
    RequestData half = send.request().send();
    send.reset();
    assertThat(bench.record.hex(4, 4)).isEqualTo("00000000");
    assertThat(send.freeWqebbs()).isEqualTo(16);
    assertThatIllegalStateException().isThrownBy(() -> half.signaled(9));
    send.nop().signaled(6);
    send.ringDoorbell();
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000000000123401");
    assertThat(bench.record.hex(4, 4)).isEqualTo("00000001");
  }

  @Test
  void layoutsThatDoNotFitAreRefused() {
    long address = bench.sendMemory.address();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SendRingLayout.of(address, 16, 1, address, address, 64));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SendRingLayout.of(address + 8, 4, 1, address, address, 64));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SendRingLayout.of(address, 4, 1, address, address, 32));
  }

  @Test
  void inlineDataWhoseEndOverflowsIsRefused() {
    MemorySegment huge = MemorySegment.NULL.reinterpret(Integer.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> send.request().send().inline(huge, 0, Integer.MAX_VALUE).signaled(1))
        .withMessageContaining("a request of 2147483680 bytes is longer than the 256");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                send.request()
                    .send()
                    .inline(new byte[8], 0, 8)
                    .inline(huge, 0, Integer.MAX_VALUE)
                    .signaled(1))
        .withMessageContaining("is longer than the 256");
    assertThat(send.producerIndex()).isZero();
  }

  @Test
  void keptRequestsHaveNoIdsFromBeforeAReset() {
    for (int i = 0; i < 3; i++) {
      bench.postSmall(100 + i);
    }
    send.reset();
    send.keep();
    bench.complete(2);
    assertThat(bench.poll().id()).isEqualTo(2);
  }
}
