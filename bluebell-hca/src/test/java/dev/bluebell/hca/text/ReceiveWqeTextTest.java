package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ReceiveWqeTextTest {

  @Test
  void aScatterListEndsAtItsTerminator() {
    byte[] wqe =
        Hex.parse(
            """
            00000040 00a0b000 00007f11 22330000
            00000000 00000100 00000000 00000000
            11111111 22222222 33333333 44444444
            00000000 00000000 00000000 00000000
            """);
    String text =
        """
        recv {
          data byte_count=64 lkey=0x00a0b000 address=0x00007f1122330000
          end
          rest 11111111 22222222 33333333 44444444
          rest zeros=16
        }
        """;
    assertThat(ReceiveWqeText.disassemble(wqe)).isEqualTo(text);
    assertThat(ReceiveWqeText.assemble(text)).isEqualTo(wqe);
  }

  @Test
  void aFullListNeedsNoTerminator() {
    byte[] wqe = Hex.parse("80000040 00a0b000 00007f11 22330000 0102");
    assertThat(ReceiveWqeText.disassemble(wqe))
        .isEqualTo(
            """
            recv {
              data byte_count=64 lkey=0x00a0b000 address=0x00007f1122330000 +0x0=0x80000000
              raw 0102
            }
            """);
  }

  @Test
  void anEntryShorterThanItsHeadIsRaw() {
    assertThat(ReceiveWqeText.disassembleShared(new byte[15])).contains("raw zeros=15");
    assertThat(ReceiveWqeText.disassembleSigned(new byte[] {1})).contains("raw 01");
  }

  @Test
  void otherKindsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReceiveWqeText.assemble("wqe {\n}"))
        .withMessage("line 1: expected 'recv {', found 'wqe'");
  }
}
