package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.CompletionStatus;
import org.junit.jupiter.api.Test;

/** Requests on streams, which complete in any order. */
class StreamRingTest {
  private final StreamBench bench = StreamBench.ofSixteen();

  @Test
  void eachCompletionReportsItsOwnRequest() {
    for (int i = 0; i < 4; i++) {
      bench.post(i, 100 + i);
    }
    bench.streams.ringDoorbell();
    assertThat(bench.complete(2)).isEqualTo(102);
    assertThat(bench.complete(0)).isEqualTo(100);
    assertThat(bench.complete(3)).isEqualTo(103);
    assertThat(bench.complete(1)).isEqualTo(101);
    assertThat(bench.streams.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void onlyContiguousSpaceIsFree() {
    for (int i = 0; i < 16; i++) {
      bench.post(i, i);
    }
    bench.streams.ringDoorbell();
    assertThat(bench.streams.freeWqebbs()).isZero();
    assertThat(bench.complete(5)).isEqualTo(5);
    assertThat(bench.streams.freeWqebbs()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> bench.post(0, 16))
        .withMessageContaining("is full");
    bench.complete(1);
    bench.complete(0);
    assertThat(bench.streams.freeWqebbs()).isEqualTo(2);
    bench.post(0, 16);
    bench.post(0, 17);
    assertThatIllegalStateException().isThrownBy(() -> bench.post(0, 18));
    bench.streams.ringDoorbell();
    assertThat(bench.complete(17)).isEqualTo(17);
  }

  @Test
  void releasedSpaceIsCountedEvenBehindAnOlderRequest() {
    for (int i = 0; i < 16; i++) {
      bench.post(i, i);
    }
    assertThat(bench.streams.releasedWqebbs()).as("not rung").isZero();
    bench.streams.ringDoorbell();
    assertThat(bench.streams.releasedWqebbs()).isZero();
    bench.complete(5);
    bench.complete(1);
    assertThat(bench.streams.releasedWqebbs()).isEqualTo(2);
    assertThat(bench.streams.freeWqebbs()).isZero();
    bench.complete(0);
    assertThat(bench.streams.releasedWqebbs()).isEqualTo(3);
    assertThat(bench.streams.freeWqebbs()).isEqualTo(2);
    bench.post(0, 16);
    assertThat(bench.streams.releasedWqebbs()).isEqualTo(2);
  }

  @Test
  void theStateCountsOnlyRequestsThatHaveNotCompleted() {
    for (int i = 0; i < 4; i++) {
      bench.post(i, i);
    }
    bench.streams.ringDoorbell();
    bench.post(0, 4);
    assertThat(bench.streams.state().pending()).isEqualTo(5);
    assertThat(bench.streams.state().unrung()).isEqualTo(1);
    bench.complete(2);
    assertThat(bench.streams.state().pending())
        .as("pending requests after a completion behind an older request")
        .isEqualTo(4);
    bench.complete(0);
    bench.complete(1);
    bench.complete(3);
    SendRingState state = bench.streams.state();
    assertThat(state.pending()).as("the unrung request").isEqualTo(1);
    assertThat(state.unrung()).isEqualTo(1);
    assertThat(state.isSignaled()).isFalse();
  }

  @Test
  void thereIsRoomAgainWhenCompletionsWerePolled() {
    for (int i = 0; i < 16; i++) {
      bench.post(i, i);
    }
    bench.streams.ringDoorbell();
    assertThat(bench.streams.hasRoom()).isFalse();
    for (int i = 15; i >= 0; i--) {
      bench.complete(i);
    }
    assertThat(bench.streams.hasRoom()).isTrue();
  }

  @Test
  void theStreamStandsInTheControlSegment() {
    bench.streams.to(StreamBench.DESTINATION, 0x1234).sendImmediate(7).fence().signaled(1);
    assertThat(bench.bench.sendMemory.hex(8, 8)).isEqualTo("0012348800000007");
  }

  @Test
  void spaceOfUnrungRequestsIsNotFree() {
    bench.post(1, 1);
    assertThat(bench.streams.freeWqebbs()).isEqualTo(15);
    bench.streams.ringDoorbell();
    assertThat(bench.streams.freeWqebbs()).isEqualTo(15);
  }

  @Test
  void aCompletionWithoutAnOutstandingRequestIsRefused() {
    bench.post(1, 1);
    bench.bench.complete(0);
    assertThatIllegalStateException()
        .isThrownBy(bench.bench::poll)
        .withMessageContaining("at WQE index 0, where none is outstanding");
    bench.streams.ringDoorbell();
    assertThat(bench.complete(0)).isEqualTo(1);
    bench.bench.complete(0);
    assertThatIllegalStateException().isThrownBy(bench.bench::poll);
    bench.bench.complete(1);
    assertThatIllegalStateException().isThrownBy(bench.bench::poll);
  }

  @Test
  void aFailureReportsItsOwnRequestAlone() {
    bench.post(1, 1);
    bench.post(2, 2);
    bench.streams.ringDoorbell();
    bench.fail(1);
    assertThat(bench.bench.poll().status()).isNotEqualTo(CompletionStatus.SUCCESS);
    assertThat(bench.complete(0)).isEqualTo(1);
  }

  @Test
  void fillIsOnTheStreamOfTheRequestBehindIt() {
    StreamBench filling = new StreamBench(4, 256, true, 4);
    for (int i = 0; i < 14; i++) {
      filling.post(1, i);
    }
    filling.streams.ringDoorbell();
    for (int i = 0; i < 14; i++) {
      filling.complete(i);
    }
    filling
        .streams
        .to(StreamBench.DESTINATION, 3)
        .send()
        .inline(new byte[130], 0, 130)
        .signaled(99);
    filling.streams.ringDoorbell();
    // A NOP of two WQEBBs, told only if it fails.
    assertThat(filling.bench.sendMemory.hex(14 * 64L, 16))
        .isEqualTo("00000e00" + "00123408" + "00000300" + "00000000");
    assertThat(filling.streams.releasedWqebbs()).isEqualTo(10);
    assertThat(filling.complete(16)).isEqualTo(99);
    assertThat(filling.streams.releasedWqebbs()).isEqualTo(16);
    assertThat(filling.streams.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void flushedFillIsNotReported() {
    StreamBench filling = new StreamBench(4, 256, true, 4);
    for (int i = 0; i < 15; i++) {
      filling.post(1, i);
    }
    filling.streams.ringDoorbell();
    for (int i = 0; i < 15; i++) {
      filling.complete(i);
    }
    filling.streams.to(StreamBench.DESTINATION, 3).send().inline(new byte[50], 0, 50).signaled(99);
    filling.streams.ringDoorbell();
    filling.fail(15);
    filling.fail(16);
    assertThat(filling.bench.poll().id()).isEqualTo(99);
    assertThat(filling.streams.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void aHalfBuiltRequestRingsNothing() {
    bench.post(1, 1);
    var start = bench.streams.to(StreamBench.DESTINATION, 1);
    assertThatIllegalStateException()
        .isThrownBy(bench.streams::ringDoorbell)
        .withMessageContaining("half built");
    start.send().signaled(2);
    bench.streams.ringDoorbell();
    assertThat(bench.complete(1)).isEqualTo(2);
    assertThat(bench.complete(0)).isEqualTo(1);
  }

  @Test
  void aResetForgetsAll() {
    for (int i = 0; i < 9; i++) {
      bench.post(i, i);
    }
    bench.streams.ringDoorbell();
    bench.complete(3);
    bench.bench.send.reset();
    bench.streams.reset();
    assertThat(bench.streams.freeWqebbs()).isEqualTo(16);
    bench.post(0, 50);
    bench.streams.ringDoorbell();
    assertThat(bench.complete(0)).isEqualTo(50);
  }

  @Test
  void completedRequestsAreNotPendingWhateverPrecedesThem() {
    for (int i = 0; i < 6; i++) {
      bench.post(i, 100 + i);
    }
    bench.streams.ringDoorbell();
    bench.post(1, 106);
    bench.complete(0);
    bench.complete(3);
    assertThat(bench.streams.pendingIds()).containsExactly(101, 102, 104, 105, 106);
  }
}
