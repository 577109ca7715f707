package dev.bluebell.hca.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryTest {
  private static final int BYTES = 1024;

  private final MemorySegment segment = Arena.ofAuto().allocate(BYTES, 64);
  private final long address = segment.address();

  private void assertBytes(int offset, int... expected) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(segment.get(ValueLayout.JAVA_BYTE, offset + i))
          .as("byte %d", offset + i)
          .isEqualTo((byte) expected[i]);
    }
  }

  @Test
  void valuesAreBigEndianAtAnyAddress() {
    Memory.putLong(address + 3, 0x0102030405060708L);
    assertBytes(2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0);
    assertThat(Memory.getLong(address + 3)).isEqualTo(0x0102030405060708L);
    assertThat(Memory.getInt(address + 5)).isEqualTo(0x03040506);
    assertThat(Memory.getShort(address + 4)).isEqualTo((short) 0x0203);
    assertThat(Memory.getByte(address + 10)).isEqualTo((byte) 8);
    Memory.putInt(address + 101, 0xa1b2c3d4);
    assertBytes(100, 0, 0xa1, 0xb2, 0xc3, 0xd4, 0);
    Memory.putByte(address + 102, (byte) 0x7f);
    assertBytes(101, 0xa1, 0x7f, 0xc3);
  }

  @Test
  void orderedAccessesAreBigEndianToo() {
    Memory.putLongRelease(address + 8, 0x1112131415161718L);
    assertBytes(8, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18);
    assertThat(Memory.getLongAcquire(address + 8)).isEqualTo(0x1112131415161718L);
    Memory.putIntRelease(address + 4, 0x21222324);
    assertBytes(4, 0x21, 0x22, 0x23, 0x24, 0x11);
    assertThat(Memory.getIntAcquire(address + 4)).isEqualTo(0x21222324);
  }

  @Test
  void nativeAccessesHaveTheHostsOrder() {
    Memory.putNativeLong(address + 5, 0x0102030405060708L);
    long expected =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 0x0102030405060708L : 0x0807060504030201L;
    assertThat(Memory.getLong(address + 5)).isEqualTo(expected);
    assertThat(Memory.getNativeLong(address + 5)).isEqualTo(0x0102030405060708L);
  }

  @Test
  void orderedAccessesNeedAnAlignedAddress() {
    List<Runnable> accesses = new ArrayList<>();
    for (int offset = 1; offset < 8; offset++) {
      long unaligned = address + offset;
      accesses.add(() -> Memory.getLongAcquire(unaligned));
      accesses.add(() -> Memory.putLongRelease(unaligned, 1));
      accesses.add(() -> Memory.compareAndExchangeNativeLong(unaligned, 0, 1));
      accesses.add(() -> Memory.getAndAddNativeLong(unaligned, 1));
      accesses.add(() -> Memory.getAndSetLong(unaligned, 1));
      if (offset % 4 != 0) {
        accesses.add(() -> Memory.getIntAcquire(unaligned));
        accesses.add(() -> Memory.putIntRelease(unaligned, 1));
      }
    }
    for (Runnable access : accesses) {
      assertThatIllegalArgumentException().isThrownBy(access::run);
    }
    assertThat(segment.mismatch(Arena.ofAuto().allocate(BYTES))).isEqualTo(-1);
  }

  @Test
  void compareAndExchangeReplacesOnlyWhatWasExpected() {
    Memory.putNativeLong(address, 5);
    assertThat(Memory.compareAndExchangeNativeLong(address, 4, 9)).isEqualTo(5);
    assertThat(Memory.getNativeLong(address)).isEqualTo(5);
    assertThat(Memory.compareAndExchangeNativeLong(address, 5, 9)).isEqualTo(5);
    assertThat(Memory.getNativeLong(address)).isEqualTo(9);
  }

  @Test
  void getAndSetGivesWhatWasThere() {
    Memory.putLong(address, 5);
    assertThat(Memory.getAndSetLong(address, 0x0102)).isEqualTo(5);
    assertThat(Memory.getLong(address)).isEqualTo(0x0102);
  }

  @Test
  void getAndAddWrapsAround() {
    Memory.putNativeLong(address, -1);
    assertThat(Memory.getAndAddNativeLong(address, 3)).isEqualTo(-1);
    assertThat(Memory.getNativeLong(address)).isEqualTo(2);
  }

  static IntStream lengths() {
    return IntStream.rangeClosed(0, 200);
  }

  @ParameterizedTest(name = "{0} bytes")
  @MethodSource("lengths")
  void aCopyMovesItsBytesEvenWhenTheRangesOverlap(int length) {
    IntStream.concat(IntStream.rangeClosed(-70, 70), IntStream.of(-200, -128, 128, 200))
        .forEach(distance -> assertCopies(length, distance));
  }

  private void assertCopies(int length, int distance) {
    byte[] model = new byte[BYTES];
    new Random(length * 31L + distance).nextBytes(model);
    MemorySegment.copy(model, 0, segment, ValueLayout.JAVA_BYTE, 0, BYTES);
    int from = 400;
    int to = from + distance;
    Memory.copy(address + from, address + to, length);
    System.arraycopy(model, from, model, to, length);
    assertThat(Arrays.equals(segment.toArray(ValueLayout.JAVA_BYTE), model))
        .as("distance %d", distance)
        .isTrue();
  }

  @Test
  void copiesToAndFromASegmentStayInItsBounds() {
    MemorySegment small = Arena.ofAuto().allocate(16);
    small.fill((byte) 7);
    Memory.copyFrom(small, 4, address + 10, 12);
    assertBytes(9, 0, 7);
    assertBytes(21, 7, 0);
    Memory.putLong(address + 100, 0x0102030405060708L);
    Memory.copyTo(address + 100, small, 8, 8);
    assertThat(small.get(ValueLayout.JAVA_BYTE, 15)).isEqualTo((byte) 8);
    assertThatThrownBy(() -> Memory.copyFrom(small, 8, address, 9))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Memory.copyTo(address, small, 9, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aClosedSegmentIsNotCopied() {
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(16);
    }
    assertThatThrownBy(() -> Memory.copyFrom(closed, 0, address, 8))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Memory.copyTo(address, closed, 0, 8))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void fillSetsItsRangeOnly() {
    Memory.fill(address + 3, 70, (byte) 0xee);
    assertBytes(2, 0, 0xee);
    assertBytes(72, 0xee, 0);
    Memory.fill(address + 3, 0, (byte) 1);
    assertBytes(3, 0xee);
  }
}
