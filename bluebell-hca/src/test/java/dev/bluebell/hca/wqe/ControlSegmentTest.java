package dev.bluebell.hca.wqe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlSegmentTest {

  @Test
  void everyFieldComesBackAtItsLargestValue() {
    long first = ControlSegment.first(0xff, 0xffff, 0xff, 0xffffff, 0x3f);
    assertThat(ControlSegment.opmod(first)).isEqualTo(0xff);
    assertThat(ControlSegment.wqeIndex(first)).isEqualTo(0xffff);
    assertThat(ControlSegment.opcode(first)).isEqualTo(0xff);
    assertThat(ControlSegment.qpn(first)).isEqualTo(0xffffff);
    assertThat(ControlSegment.ds(first)).isEqualTo(0x3f);
  }

  @Test
  void argumentsAreMaskedToTheirFields() {
    long first = ControlSegment.first(0x1ab, 0x12345, 0x108, 0x1000001, 0x41);
    assertThat(first).isEqualTo(0xab234508_00000101L);
    long second = ControlSegment.second(0x1ff, -1);
    assertThat(second).isEqualTo(0x000000ff_ffffffffL);
  }

  @Test
  void fieldsDoNotLeakIntoEachOther() {
    assertThat(ControlSegment.first(0xff, 0, 0, 0, 0)).isEqualTo(0xff000000_00000000L);
    assertThat(ControlSegment.first(0, 0xffff, 0, 0, 0)).isEqualTo(0x00ffff00_00000000L);
    assertThat(ControlSegment.first(0, 0, 0xff, 0, 0)).isEqualTo(0x000000ff_00000000L);
    assertThat(ControlSegment.first(0, 0, 0, 0xffffff, 0)).isEqualTo(0x00000000_ffffff00L);
    assertThat(ControlSegment.first(0, 0, 0, 0, 0x3f)).isEqualTo(0x00000000_0000003fL);
  }

  @Test
  void signatureAndStreamAreReadBesideTheFlags() {
    long second = 0xa1_1234_08_cafe0102L;
    assertThat(ControlSegment.signature(second)).isEqualTo(0xa1);
    assertThat(ControlSegment.stream(second)).isEqualTo(0x1234);
    assertThat(ControlSegment.fmCeSe(second)).isEqualTo(0x08);
    assertThat(ControlSegment.immediate(second)).isEqualTo(0xcafe0102);
  }

  @Test
  void blocksOfAnEntryAreRoundedUp() {
    assertThat(ControlSegment.wqebbs(1)).isEqualTo(1);
    assertThat(ControlSegment.wqebbs(4)).isEqualTo(1);
    assertThat(ControlSegment.wqebbs(5)).isEqualTo(2);
    assertThat(ControlSegment.wqebbs(ControlSegment.MAX_DS)).isEqualTo(16);
  }

  @Test
  void inlineDataTakeTheirHeaderAndPadding() {
    assertThat(InlineSegment.ds(1)).isEqualTo(1);
    assertThat(InlineSegment.ds(12)).isEqualTo(1);
    assertThat(InlineSegment.ds(13)).isEqualTo(2);
    assertThat(InlineSegment.ds(28)).isEqualTo(2);
    assertThat(InlineSegment.ds(204)).isEqualTo(13);
    assertThat(InlineSegment.length(InlineSegment.header(1023))).isEqualTo(1023);
  }
}
