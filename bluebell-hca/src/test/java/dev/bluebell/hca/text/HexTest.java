package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class HexTest {

  @Test
  void separatorsAndPrefixesAreIgnored() {
    assertThat(Hex.parse("0x01, 0x02 03:04\n0506\tAb")).containsExactly(1, 2, 3, 4, 5, 6, 0xab);
    assertThat(Hex.parse("")).isEmpty();
  }

  @Test
  void offsetsAndCharactersOfDumpsAreIgnored() {
    assertThat(
            Hex.parse(
                """
                00000000: 0102 0304
                00000010: 05 06 07 08
                0x0020: 09
                """))
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(Hex.parse("00 01 61 62  |..ab|")).containsExactly(0, 1, 0x61, 0x62);
  }

  @Test
  void addressesWithColonsAreBytes() {
    assertThat(Hex.parse("fe80:0001")).containsExactly(0xfe, 0x80, 0, 1);
  }

  @Test
  void otherTextIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hex.parse("01 02 xyz"))
        .withMessage("expected hexadecimal digits, found 'xyz'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hex.parse("01 2"))
        .withMessage("bytes have two hexadecimal digits each, found 3 digits in total");
  }

  @Test
  void otherTextIsQuotedAsItWasTypedFromItsFirstWord() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hex.parse("01 02\n0x03, bluebell: QP 0x40 send WQE 0"))
        .withMessage("expected hexadecimal digits, found 'bluebell: QP 0x40 send WQE 0'");
  }

  @Test
  void quotedTextHasNoControlCharacters() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hex.parse("\u0011\u001bP"))
        .withMessage("expected hexadecimal digits, found '\\u0011\\u001bP'");
  }
}
