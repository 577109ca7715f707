package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.Bits128;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Requests whose control segment holds more than opcode and flags: wide atomics, copies, raw
 * entries.
 */
class WrittenRequestTest {
  private static final CopyReportMemory REPORT = new CopyReportMemory(0x3000, 11);

  private static final String RAW =
      "0077770012345604115a5a00010203045a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
          + "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";

  private final SendBench bench = new SendBench(3, 128, false);

  private static MemorySegment bytes(String hex) {
    return MemorySegment.ofArray(HexFormat.of().parseHex(hex));
  }

  @Test
  void aRawRequestIsCopiedWithIndexAndQueuePairOfItsQueue() {
    bench.postSmall(1);
    bench.send.raw(ServiceType.RC, bytes(RAW)).signaled(2);
    // Opcode, opmod, signature, stream and immediate stay; libmlx5 leaves the QPN, too.
    assertThat(bench.sendMemory.hex(64, 64))
        .isEqualTo("0000010000123404115a5a0801020304" + RAW.substring(32));
  }

  @Test
  void aRawRequestKeepsItsFlagsExceptThatOfItsCompletion() {
    String flags = RAW.substring(0, 22) + "8e" + RAW.substring(24);
    bench.send.raw(ServiceType.RC, bytes(flags)).unsignaled(2);
    assertThat(bench.sendMemory.hex(8, 4)).isEqualTo("115a5a82");
    bench.send.raw(ServiceType.RC, bytes(RAW)).fence().solicited().signaled(3);
    assertThat(bench.sendMemory.hex(64 + 8, 4)).isEqualTo("115a5a8a");
  }

  @Test
  void anInvalidRawRequestIsRefusedAndTheQueueStaysAsItWas() {
    String[] wrong = {
      "0000000a000000", // no whole unit
      RAW.substring(0, 96), // ds 4 in 48 bytes
      "000000fe0000000100000000" + "00000000", // no such opcode
      "0100000a0000000100000000" + "00000000", // no such opmod
      "000000080000000100000000" + "00000000", // a WRITE without an address
    };
    for (String hex : wrong) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> bench.send.raw(ServiceType.RC, bytes(hex)).signaled(1))
          .withMessageContaining("raw");
    }
    assertThat(bench.send.producerIndex()).isZero();
    assertThat(bench.send.dropUnfinished()).isFalse();
    bench.postSmall(1);
  }

  @Test
  void aRawRequestThatIsLongerThanTheQueueTakesIsRefused() {
    String hex = "0000000000000010" + "00".repeat(248);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bench.send.raw(ServiceType.RC, bytes(hex)).signaled(1))
        .withMessageContaining("longer than the 128");
    assertThat(bench.send.producerIndex()).isZero();
    assertThat(bench.send.dropUnfinished()).isFalse();
  }

  @Test
  void operandsOf16BytesGoAcrossTheEndOfTheRing() {
    SendBench end = new SendBench(3, 128, false, 4, 7);
    end.send
        .request()
        .maskedCompareAndSwap16(
            0x1000,
            7,
            new Bits128(0x21, 0x22),
            new Bits128(0x11, 0x12),
            new Bits128(0x41, 0x42),
            new Bits128(0x31, 0x32))
        .scatter(0x2000, 9)
        .signaled(1);
    assertThat(end.sendMemory.hex(448, 64))
        .isEqualTo(
            "0a000714"
                + "00123407"
                + "00000008"
                + "00000000"
                + "0000000000001000"
                + "0000000700000000"
                + word(0x11)
                + word(0x12)
                + word(0x21)
                + word(0x22));
    assertThat(end.sendMemory.hex(0, 48))
        .isEqualTo(
            word(0x31)
                + word(0x32)
                + word(0x41)
                + word(0x42)
                + "00000010"
                + "00000009"
                + word(0x2000));
  }

  @Test
  void fillMovesTheHeadOfAWrittenRequestToo() {
    SendBench end = new SendBench(3, 128, true, 4, 7);
    end.send
        .request()
        .maskedFetchAndAdd16(0x1000, 7, new Bits128(1, 2), Bits128.ALL)
        .scatter(0x2000, 9)
        .signaled(1);
    assertThat(end.sendMemory.hex(448, 8)).isEqualTo("0000070000123404");
    assertThat(end.sendMemory.hex(0, 80))
        .isEqualTo(
            "0a000815"
                + "00123405"
                + "00000008"
                + "00000000"
                + "0000000000001000"
                + "0000000700000000"
                + word(1)
                + word(2)
                + word(-1)
                + word(-1)
                + "00000010"
                + "00000009"
                + word(0x2000));
  }

  @Test
  void aMemoryCopyEqualsThatOfLibmlx5() {
    bench.send.request().copyMemory(0x1000, 7, 0x2000, 9, 100, REPORT).signaled(1);
    assertThat(bench.sendMemory.hex(0, 64))
        .isEqualTo(
            "0100002f"
                + "00123404"
                + "00000008"
                + "00000000"
                + "00000000"
                + "0000000b"
                + word(0x3000)
                + "00000064"
                + "00000007"
                + word(0x1000)
                + "00000064"
                + "00000009"
                + word(0x2000));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> bench.send.request().copyMemory(0x1000, 7, 0x2000, 9, 0, REPORT).signaled(1))
        .withMessageContaining("at least 1 byte");
  }

  private static String word(long value) {
    return HexFormat.of().toHexDigits(value);
  }
}
