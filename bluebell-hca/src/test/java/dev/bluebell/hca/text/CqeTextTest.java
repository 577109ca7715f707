package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CqeTextTest {

  private static byte[] cqe(int opcode, int sendOpcode) {
    int opOwn = Cqe.opOwn(opcode, false, 1);
    return ByteBuffer.allocate(Cqe.BYTES)
        .putLong(Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(0x77, 0xcafe0102))
        .putLong(Cqe.LAST_WORD, Cqe.lastWord(sendOpcode, 0x0a1b01, 5, opOwn))
        .array();
  }

  @Test
  void aFailureIsReadable() {
    byte[] cqe = cqe(CqeOpcode.REQ_ERR, WqeOpcode.RDMA_WRITE);
    ByteBuffer.wrap(cqe)
        .putLong(Cqe.UIDX_IMMEDIATE_WORD, 0)
        .putLong(Cqe.TIMESTAMP_WORD, Cqe.errorWord(0x88, Syndrome.REMOTE_ACCESS_ERR));
    assertThat(CqeText.disassemble(cqe))
        .isEqualTo(
            """
            cqe {
              opcode=REQ_ERR
              owner=1
              qpn=0x0a1b01
              wqe_counter=5
              send_opcode=RDMA_WRITE
              syndrome=REMOTE_ACCESS_ERR
              vendor_err_synd=0x88
            }
            """);
  }

  @ParameterizedTest
  @CsvSource({
    CqeOpcode.REQ + ",imm",
    CqeOpcode.RESP_SEND_IMM + ",imm",
    CqeOpcode.RESP_WR_IMM + ",imm",
    CqeOpcode.RESP_SEND_INV + ",inval_rkey",
    CqeOpcode.SIG_ERR + ",mkey"
  })
  void theImmediateIsNamedByTheOpcode(int opcode, String name) {
    assertThat(Texts.value(CqeText.disassemble(cqe(opcode, 0)), name)).isEqualTo("0xcafe0102");
  }

  @Test
  void inlineDataAndTitlesOfCompressionAreNamedByTheFormat() {
    byte[] cqe = cqe(CqeOpcode.RESP_SEND, 0);
    cqe[31] = 0x55;
    cqe[47] = 9;
    cqe[63] |= 0x04;
    assertThat(Texts.value(CqeText.disassemble(cqe), "inline_data")).hasSize(64).endsWith("55");
    cqe[63] |= 0x0c;
    assertThat(Texts.value(CqeText.disassemble(cqe), "mini_cqes")).isEqualTo("9");
  }

  @Test
  void theFirstHalfOfALongEntryIsItsHead() {
    byte[] cqe = Arrays.copyOf(new byte[0], 128);
    System.arraycopy(cqe(CqeOpcode.RESP_SEND, 0), 0, cqe, 64, 64);
    assertThat(CqeText.disassemble(cqe)).contains("  head zeros=64\n  opcode=RESP_SEND\n");
    cqe[17] = 1;
    assertThat(CqeText.disassemble(cqe))
        .contains("head zeros=16\n  head 00010000 00000000 00000000 00000000\n  head zeros=32");
    assertThat(CqeText.assemble(CqeText.disassemble(cqe))).isEqualTo(cqe);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 65, 127, 129, 192})
  void otherSizesAreRefused(int size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqeText.disassemble(new byte[size]))
        .withMessage("a completion queue entry has 64 or 128 bytes, not " + size);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          opcode=SEND       | line 2: opcode takes a number or one of REQ, RESP_WR_IMM,
          color=5           | line 2: no field is called 'color' here
          ctrl opcode=REQ   | line 2: expected name=value or 'head', found 'ctrl'
          opcode=REQ 00     | line 2: expected name=value, found '00'
          head 00           | line 1: the head has 64 bytes, found 1
          head zeros=129    | line 2: an entry has at most 128 bytes
          head zeros=65     | line 1: the head has 64 bytes, found 65
          imm=1 mkey=2      | line 2: mkey sets bits that another field already set
          """)
  void aWrongLineIsNamedWithWhatWasExpected(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqeText.assemble("cqe {\n" + line + "\n}"))
        .withMessageContaining(message);
  }
}
