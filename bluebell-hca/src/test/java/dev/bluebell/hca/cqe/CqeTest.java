package dev.bluebell.hca.cqe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CqeTest {

  @Test
  void fieldsOfTheLastWordComeBackAtTheirLargestValue() {
    int opOwn = Cqe.opOwn(CqeOpcode.INVALID, true, 1);
    long last = Cqe.lastWord(0xff, 0xffffff, 0xffff, opOwn);
    assertThat(Cqe.sendOpcode(last)).isEqualTo(0xff);
    assertThat(Cqe.qpn(last)).isEqualTo(0xffffff);
    assertThat(Cqe.wqeCounter(last)).isEqualTo(0xffff);
    assertThat(Cqe.opcode(last)).isEqualTo(CqeOpcode.INVALID);
    assertThat(Cqe.solicited(last)).isTrue();
    assertThat(Cqe.owner(last)).isEqualTo(1);
    assertThat(last).isEqualTo(0xffffffff_ffff00f3L);
  }

  @Test
  void argumentsAreMaskedToTheirFields() {
    assertThat(Cqe.lastWord(0, 0x7f000001, 0x10002, 0x1f0)).isEqualTo(0x00000001_000200f0L);
    assertThat(Cqe.errorWord(0x188, 0x113)).isEqualTo(0x8813);
    assertThat(Cqe.opOwn(CqeOpcode.REQ, false, 2)).isZero();
  }

  @Test
  void aFreshEntryIsInvalid() {
    assertThat(Cqe.opcode(Cqe.OP_OWN_INITIAL)).isEqualTo(CqeOpcode.INVALID);
  }

  @Test
  void theFormatIsReadBetweenOwnerAndOpcode() {
    assertThat(Cqe.format(0x24)).isEqualTo(1);
    assertThat(Cqe.format(0x2c)).isEqualTo(3);
    assertThat(Cqe.format(0xf3)).isZero();
  }

  @Test
  void theUserIndexHas24Bits() {
    long word = Cqe.uidxImmediateWord(0xff123456, -1);
    assertThat(Cqe.userIndex(word)).isEqualTo(0x123456);
    assertThat(Cqe.immediate(word)).isEqualTo(-1);
  }

  @Test
  void theFlagsOfADatagramComeBack() {
    long word = (long) Cqe.datagramFlags(Cqe.L3_IPV4, 0xff123456) << 32;
    assertThat(word).isEqualTo(0x1a123456_00000000L);
    assertThat(Cqe.hasHeader(word)).isTrue();
    assertThat(Cqe.l3Type(word)).isEqualTo(Cqe.L3_IPV4);
    assertThat(Cqe.remoteQpn(word)).isEqualTo(0x123456);
    assertThat(Cqe.hasHeader(0x0f123456_00000000L)).isFalse();
    assertThat(Cqe.hasHeader(0x20123456_00000000L)).isTrue();
  }
}
