package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rings whose requests are built in other memory, and when they reach the ring. */
class StagedRingTest {
  private static final int RING_BYTES = 16 * 64;

  private final SendBench bench = bench(layout -> layout.withStaging(true));
  private final SendRing send = bench.send;

  private static SendBench bench(UnaryOperator<SendRingLayout> options) {
    return new SendBench(options, 4, 256, 4, PlainRequest::new);
  }

  @Test
  void requestsReachTheRingWithTheDoorbell() {
    bench.postSmall(1);
    bench.postSmall(2);
    assertThat(bench.sendMemory.bytes()).containsOnly(TestMemory.POISON);
    send.ringDoorbell();
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000000800123403");
    assertThat(bench.sendMemory.hex(64, 8)).isEqualTo("0000010800123403");
    assertThat(bench.sendMemory.bytes(128, 14 * 64)).containsOnly(TestMemory.POISON);
  }

  @Test
  void requestsAroundTheEndOfTheRingReachBothOfItsEnds() {
    for (int i = 0; i < 15; i++) {
      bench.postSmall(i);
    }
    send.ringDoorbell();
    bench.complete(14);
    assertThat(bench.poll().id()).isEqualTo(14);
    for (int i = 15; i < 18; i++) {
      bench.postSmall(i);
    }
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000000800123403");
    send.ringDoorbell();
    assertThat(bench.sendMemory.hex(15 * 64, 8)).isEqualTo("00000f0800123403");
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000100800123403");
    assertThat(bench.sendMemory.hex(64, 8)).isEqualTo("0000110800123403");
    assertThat(bench.sendMemory.hex(128, 8)).isEqualTo("0000020800123403");
  }

  @Test
  void aCopyInTheRegisterEqualsTheRequestInTheRing() {
    SendBench copying = bench(layout -> layout.withStaging(true).withBlueFlame(true));
    copying.postSmall(1);
    copying.send.ringDoorbell();
    assertThat(copying.register.hex(0, 64)).isEqualTo(copying.sendMemory.hex(0, 64));
  }

  @Test
  void keptRequestsReachTheRingWithoutADoorbell() {
    bench.postSmall(1);
    send.keep();
    assertThat(bench.sendMemory.hex(0, 8)).isEqualTo("0000000800123403");
  }

  @Test
  void anInstalledProgramReachesTheRing() {
    byte[] image = new byte[128];
    image[127] = 5;
    send.install(MemorySegment.ofArray(image));
    assertThat(bench.sendMemory.bytes(0, 128)).isEqualTo(image);
  }

  /** As a program without checks may give them. */
  @ParameterizedTest
  @CsvSource({"0, 17", "9, 75", "0, 1000", "12, 3", "1000, 0", "-2147483645, 5"})
  void indicesWithoutSenseLeaveAllMemoryBesideTheRingAlone(int first, int end) {
    TestMemory memory = new TestMemory(3 * RING_BYTES);
    SendRingLayout layout =
        SendRingLayout.of(memory.address() + RING_BYTES, 4, 1, 0, 0, 64).withStaging(true);
    new RequestMemory(layout).publish(first, end);
    assertThat(memory.bytes(0, RING_BYTES)).containsOnly(TestMemory.POISON);
    assertThat(memory.bytes(RING_BYTES, RING_BYTES)).contains(0);
    assertThat(memory.bytes(2 * RING_BYTES, RING_BYTES)).containsOnly(TestMemory.POISON);
  }

  @Test
  void managedRingsCannotBeStaged() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bench(layout -> layout.withManaged(true).withStaging(true)))
        .withMessageContaining("can't be staged");
  }
}
