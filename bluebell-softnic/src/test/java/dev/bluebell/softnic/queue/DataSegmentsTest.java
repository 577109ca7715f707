package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneKey;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of data and inline segments: their length, and the memory that they name. */
class DataSegmentsTest {
  private static final int QPN = 0x40;

  private final LoneChip chip = new LoneChip();
  private final LoneMemory list = chip.memory(1 << 17);
  private final LoneMemory data = chip.memory(128, MemoryKey.LOCAL_READ).count(0, 128);
  private final LoneMemory landing = chip.memory(256);
  private final SegmentList out = new SegmentList();
  private final Fault fault = new Fault();
  private int end;

  private DataSegmentsTest pointer(int bytes, long offset) {
    return words(DataSegment.first(bytes, data.key()), data.address(offset));
  }

  private DataSegmentsTest words(long first, long second) {
    Memory.putLong(list.address(end), first);
    Memory.putLong(list.address(end + 8L), second);
    end += 16;
    return this;
  }

  private DataSegmentsTest inline(int... bytes) {
    Memory.putInt(list.address(end), InlineSegment.header(bytes.length));
    for (int i = 0; i < bytes.length; i++) {
      Memory.putByte(list.address(end + 4L + i), (byte) bytes[i]);
    }
    end += InlineSegment.ds(bytes.length) * 16;
    return this;
  }

  private long measure(boolean inlineAllowed) {
    return DataSegments.measure(list.address(0), list.address(end), inlineAllowed, fault);
  }

  private boolean collect(long skip, long bytes, int rights) {
    return DataSegments.collect(
        list.address(0),
        list.address(end),
        skip,
        bytes,
        chip.keys(),
        LoneChip.PD,
        QPN,
        rights,
        out,
        fault);
  }

  private byte[] collected(long skip, int bytes) {
    assertThat(collect(skip, bytes, MemoryKey.LOCAL_READ)).as(fault.explanation()).isTrue();
    out.copyTo(landing.address(0), bytes);
    return landing.bytes(0, bytes);
  }

  // ---- length

  @Test
  void theLengthOfAListIsThatOfItsSegments() {
    assertThat(measure(true)).isZero();
    pointer(5, 0).pointer(7, 0).inline(1, 2, 3).pointer(1, 0);
    assertThat(measure(true)).isEqualTo(16);
  }

  @Test
  void aByteCountOfZeroIsTwoGigabytes() {
    words(DataSegment.first(0, 1), 0).pointer(1, 0);
    assertThat(measure(false)).isEqualTo((1L << 31) + 1);
  }

  @Test
  void anInlineSegmentTakesAsManyUnitsAsItNeeds() {
    inline(new int[12]).inline(new int[13]).pointer(100, 0);
    assertThat(end).isEqualTo(16 + 32 + 16);
    assertThat(measure(true)).isEqualTo(125);
  }

  @Test
  void inlineDataIsRefusedWhereTheOpcodeTakesNoInlineData() {
    pointer(4, 0).inline(1);
    assertThat(measure(false)).isEqualTo(-1);
    assertThat(fault.syndrome()).isEqualTo(Syndrome.LOCAL_QP_OP_ERR);
    assertThat(fault.explanation())
        .isEqualTo(
            "byte_count of a data segment has bit 31 set, which marks inline data, but this opcode"
                + " does not take inline data");
  }

  @Test
  void inlineDataBehindTheEndIsRefused() {
    inline(new int[12]);
    Memory.putInt(list.address(0), InlineSegment.header(13));
    assertThat(measure(true)).isEqualTo(-1);
    assertThat(fault.syndrome()).isEqualTo(Syndrome.LOCAL_LENGTH_ERR);
    assertThat(fault.explanation())
        .isEqualTo(
            "the inline segment's byte_count 13 does not fit the 12 bytes that ds leaves for it");
  }

  @Test
  void aLengthOfMoreThanTenBitsIsRefused() {
    Memory.putInt(list.address(0), InlineSegment.header(0x3ff));
    end = 1040;
    assertThat(measure(true)).isEqualTo(0x3ff);
    Memory.putInt(list.address(0), InlineSegment.header(0x400));
    assertThat(measure(true)).isEqualTo(-1);
    assertThat(fault.explanation())
        .isEqualTo(
            "the inline segment's byte_count 1024 does not fit the 1036 bytes that ds leaves for"
                + " it");
  }

  // ---- memory

  @ParameterizedTest
  @CsvSource({"0, 32", "0, 1", "5, 27", "31, 1", "0, 0"})
  void oneSegmentIsCollectedFromAnyByteOn(int skip, int bytes) {
    pointer(32, 0);
    byte[] all = LoneMemory.counted(32);
    assertThat(collected(skip, bytes)).isEqualTo(Arrays.copyOfRange(all, skip, skip + bytes));
  }

  @Test
  void manySegmentsAreCollectedFromAnyByteToAnyOther() {
    pointer(3, 0).inline(4, 5, 6, 7).pointer(5, 7).inline(13).pointer(7, 13);
    byte[] all = LoneMemory.counted(20);
    for (int from = 0; from <= 20; from++) {
      for (int to = from; to <= 20; to++) {
        assertThat(collected(from, to - from))
            .as("[%d, %d)", from, to)
            .isEqualTo(Arrays.copyOfRange(all, from, to));
      }
    }
  }

  @Test
  void anEmptyInlineSegmentIsPassedOver() {
    inline().pointer(4, 0);
    assertThat(collected(0, 4)).containsExactly(1, 2, 3, 4);
    end = 0;
    inline(9).inline();
    assertThat(collected(0, 1)).containsExactly(9);
  }

  @Test
  void theListIsClearedFirst() {
    pointer(4, 0);
    out.add(landing.address(100), 50);
    assertThat(collected(0, 4)).containsExactly(1, 2, 3, 4);
  }

  // ---- refusals

  @Test
  void aKeyThatRefusesIsNamedWithItsSegment() {
    pointer(8, 0).words(DataSegment.first(9, 0xbad00), data.address(0));
    assertThat(collect(0, 17, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(fault.syndrome()).isEqualTo(Syndrome.LOCAL_PROT_ERR);
    assertThat(fault.vendorSyndrome()).isEqualTo(0x51);
    assertThat(fault.explanation())
        .isEqualTo(
            "data segment 1 (byte_count 9): lkey 0xbad00 does not name a memory key: no key has"
                + " index 0xbad (was the region closed?)");
  }

  @Test
  void aSegmentThatIsNotReachedIsNotChecked() {
    pointer(8, 0).words(DataSegment.first(9, 0xbad00), data.address(0));
    assertThat(collected(0, 8)).isEqualTo(LoneMemory.counted(8));
  }

  @Test
  void aSegmentThatEndsWhereTheBytesStartIsNotChecked() {
    words(DataSegment.first(9, 0xbad00), data.address(0)).pointer(4, 0);
    assertThat(collected(9, 4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aSegmentOfZerosIsAPointerByKeyZero() {
    words(0, 0).pointer(4, 0);
    assertThat(measure(true)).isEqualTo((1L << 31) + 4);
    assertThat(collect(0, 4, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(fault.explanation())
        .isEqualTo(
            "data segment 0 (byte_count 2147483648): lkey 0x0 does not name a memory key: no key"
                + " has index 0x0 (was the region closed?)");
  }

  @Test
  void theOnlySegmentIsNumberZero() {
    pointer(8, 121);
    assertThat(collect(0, 8, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(fault.explanation())
        .isEqualTo(
            "data segment 0 (byte_count 8): address 0x%x with byte_count 8 reaches outside the region of lkey 0x%x, which is [0x%x, 0x%x)"
                .formatted(data.address(121), data.key(), data.address(0), data.address(128)));
  }

  @Test
  void aPartOfASegmentThatIsRefusedIsNamedWithTheWholeSegment() {
    String refusal =
        "(address 0x%x, byte_count 200, from byte 120 on): address 0x%x with byte_count 80 reaches outside the region of lkey"
            .formatted(data.address(4), data.address(124));
    pointer(200, 4);
    assertThat(collect(120, 80, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(fault.explanation()).startsWith("data segment 0 " + refusal);
    pointer(8, 0);
    assertThat(collect(120, 88, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(fault.explanation()).startsWith("data segment 0 " + refusal);
  }

  @Test
  void aListThatIsRefusedAfterManyPiecesHoldsNone() {
    for (int i = 0; i < 5000; i++) {
      pointer(1, 0);
    }
    words(DataSegment.first(9, 0xbad00), data.address(0));
    assertThat(collect(0, 5009, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(out.isToBeFetched()).isFalse();
  }

  @Test
  void theRequestedRightIsChecked() {
    pointer(8, 0);
    assertThat(collect(0, 8, MemoryKey.LOCAL_WRITE)).isFalse();
    assertThat(fault.explanation())
        .isEqualTo(
            "data segment 0 (byte_count 8): lkey 0x%x does not grant LOCAL_WRITE: it was registered with LOCAL_READ"
                .formatted(data.key()));
  }

  @Test
  void aKeyOfOneQueuePairIsFoundOnTheSlowPath() {
    MemoryKey mine =
        data.register(chip.keys(), new LoneKey().rights(MemoryKey.LOCAL_READ).qpn(QPN));
    pointer(4, 0);
    assertThat(collected(0, 4)).containsExactly(1, 2, 3, 4);
    chip.keys().remove(mine);
    data.register(chip.keys(), new LoneKey().rights(MemoryKey.LOCAL_READ).qpn(QPN + 1));
    end = 0;
    pointer(4, 0);
    assertThat(collect(0, 4, MemoryKey.LOCAL_READ)).isFalse();
    assertThat(fault.explanation()).contains("is for QP 0x41 alone");
  }

  @Test
  void memoryThatIsGoneIsAProtectionError() {
    DataSegments.refuseUnreachable(out, fault);
    assertThat(fault.syndrome()).isEqualTo(Syndrome.LOCAL_PROT_ERR);
    assertThat(fault.vendorSyndrome()).isEqualTo(0x51);
    assertThat(fault.explanation())
        .startsWith("the process that registered lkey 0x0 no longer has such memory");
  }
}
