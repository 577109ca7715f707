package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestData;
import org.junit.jupiter.api.Test;

/** Requests that begin with their destination. */
class AddressedRequestTest {
  private static final AddressWords DESTINATION =
      new AddressWords(
          0x0101010101010101L,
          0x8202020202020202L,
          0x0303030303030303L,
          0x0404040404040404L,
          0x0505050505050505L,
          0x0606060606060606L);
  private static final String VECTOR =
      "01".repeat(8)
          + "8202020202020202"
          + "03".repeat(8)
          + "04".repeat(8)
          + "05".repeat(8)
          + "06".repeat(8);

  @Test
  void theDestinationFollowsTheControlSegmentAndTheDataTheDestination() {
    SendBench bench = SendBench.ofSixteen();
    bench.send.to(DESTINATION).sendImmediate(7).gather(0x1000, 8, 9).fence().signaled(1);
    assertThat(bench.sendMemory.hex(0, 80))
        .isEqualTo(
            "0000000b"
                + "00123405"
                + "00000088"
                + "00000007"
                + VECTOR
                + "00000008"
                + "00000009"
                + "0000000000001000");
    assertThat(bench.send.producerIndex()).isEqualTo(2);
  }

  @Test
  void aRemoteAddressAndOperandsFollowTheDestination() {
    SendBench bench = new SendBench(4, 128, false);
    bench.send.to(DESTINATION).compareAndSwap(0x1000, 7, 2, 3).scatter(0x2000, 9).signaled(1);
    assertThat(bench.sendMemory.hex(16, 96))
        .isEqualTo(
            VECTOR
                + "0000000000001000"
                + "0000000700000000"
                + "0000000000000003"
                + "0000000000000002"
                + "00000008"
                + "00000009"
                + "0000000000002000");
    bench.send.to(DESTINATION).fetchAndAdd(0x1000, 7, 5).scatter(0x2000, 9).signaled(1);
    assertThat(bench.sendMemory.hex(128, 8)).isEqualTo("0000021200123407");
    assertThat(bench.sendMemory.hex(128 + 80, 16)).isEqualTo("00000000000000050000000000000000");
  }

  @Test
  void aMessageWithoutDataEndsWithItsDestination() {
    SendBench bench = SendBench.ofSixteen();
    bench.send.to(DESTINATION).send().unsignaled(1);
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000000a00123404");
    assertThat(bench.send.producerIndex()).isEqualTo(1);
  }

  @Test
  void aDestinationWithoutOperationIsHalfBuilt() {
    SendBench bench = SendBench.ofSixteen();
    ReliableOperations start = bench.send.to(DESTINATION);
    assertThatIllegalStateException()
        .isThrownBy(bench.send::ringDoorbell)
        .withMessageContaining("half built");
    assertThatIllegalStateException().isThrownBy(() -> bench.send.to(DESTINATION));
    assertThat(bench.send.dropUnfinished()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(start::send)
        .withMessageContaining("already ended");
    assertThat(bench.send.producerIndex()).isZero();
  }

  @Test
  void aSecondOperationDropsTheRequest() {
    SendBench bench = SendBench.ofSixteen();
    ReliableOperations start = bench.send.to(DESTINATION);
    RequestData first = start.send();
    assertThatIllegalStateException()
        .isThrownBy(() -> start.write(1, 2))
        .withMessageContaining("has its operation already");
    assertThatIllegalStateException().isThrownBy(() -> first.signaled(1));
    assertThat(bench.send.producerIndex()).isZero();
    bench.send.to(DESTINATION).send().signaled(2);
  }

  @Test
  void aRingWithoutRoomForTheRemoteAddressRefusesAndStaysAsItWas() {
    SendBench bench = new SendBench(1, 128, false);
    bench.send.nop().signaled(1);
    ReliableOperations start = bench.send.to(DESTINATION);
    assertThatIllegalStateException()
        .isThrownBy(() -> start.write(0x1000, 7))
        .withMessageContaining("is full");
    assertThat(bench.send.producerIndex()).isEqualTo(1);
    bench.send.to(DESTINATION).send().signaled(2);
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    SendBench bench = new SendBench(4, 64, false);
    ReliableOperations start = bench.send.to(DESTINATION);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> start.read(0x1000, 7))
        .withMessageContaining("80 bytes is longer than the 64");
    bench.send.to(DESTINATION).send().signaled(1);
  }

  @Test
  void aRequestThatWrapsHasItsOperationAtTheStartOfTheRing() {
    SendBench bench = new SendBench(2, 256, false);
    for (int i = 0; i < 3; i++) {
      bench.send.nop().signaled(i);
    }
    bench.send.ringDoorbell();
    bench.complete(2);
    bench.poll();
    bench.send.to(DESTINATION).write(0x1000, 7).gather(0x2000, 8, 9).signaled(4);
    assertThat(bench.sendMemory.hex(192 + 16, 48)).isEqualTo(VECTOR);
    assertThat(bench.sendMemory.hex(0, 32))
        .isEqualTo("0000000000001000" + "0000000700000000" + "00000008000000090000000000002000");
  }

  @Test
  void nopFillMovesTheDestination() {
    SendBench bench = new SendBench(2, 256, true);
    for (int i = 0; i < 3; i++) {
      bench.send.nop().signaled(i);
    }
    bench.send.ringDoorbell();
    bench.complete(2);
    bench.poll();
    bench.send.to(DESTINATION).write(0x1000, 7).gather(0x2000, 8, 9).signaled(4);
    assertThat(bench.sendMemory.hex(192, 8)).isEqualTo("0000030000123404");
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000040800123406");
    assertThat(bench.sendMemory.hex(16, 48)).isEqualTo(VECTOR);
  }

  @Test
  void aCompactDestinationIsItsFirstSixteenBytes() {
    SendBench bench = SendBench.ofSixteen();
    AddressWords compact = new AddressWords(1, 2, 3, 4, 5, 6);
    bench.send.to(compact).write(0x1000, 7).gather(0x2000, 8, 9).signaled(1);
    assertThat(bench.sendMemory.hex(0, 64))
        .isEqualTo(
            "0000000800123404"
                + "0000000800000000"
                + "00000000000000010000000000000002"
                + "00000000000010000000000700000000"
                + "00000008000000090000000000002000");
  }

  @Test
  void theNumberOfASharedReceiveQueueFollowsTheControlSegment() {
    SendBench bench = SendBench.ofSixteen();
    bench.send.toSharedReceives(0xabcdef).fetchAndAdd(0x1000, 7, 5).scatter(0x2000, 9).signaled(1);
    assertThat(bench.sendMemory.hex(0, 80))
        .isEqualTo(
            "0000001200123405"
                + "0000000800000000"
                + "00abcdef"
                + "00".repeat(12)
                + "00000000000010000000000700000000"
                + "00000000000000050000000000000000"
                + "00000008000000090000000000002000");
  }
}
