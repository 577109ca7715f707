package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MiniCqeTextTest {
  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex + "0".repeat(128 - hex.length()));
  }

  @Test
  void anArrayHasALineForEachCompletion() {
    byte[] array = hex("0000080000000040" + "0001100000001000" + "100a000000000041");
    assertThat(MiniCqeText.disassemble(array))
        .startsWith(
            """
            mini_cqes {
              requester wqe_counter=0 send_opcode=RDMA_WRITE byte_cnt=64
              requester wqe_counter=1 send_opcode=RDMA_READ byte_cnt=4096
              responder byte_cnt=65 checksum=0x100a
              responder byte_cnt=0
            """)
        .hasLineCount(10);
  }

  @Test
  void aBlockSaysHowManyItHas() {
    byte[] block = hex("0000000000000041" + "0000000000000042");
    block[61] = 0x21;
    block[62] = 1;
    block[63] = 0x1d;
    assertThat(MiniCqeText.disassembleBlock(block))
        .isEqualTo(
            """
            mini_cqes {
              responder byte_cnt=65
              responder byte_cnt=66
              rest zeros=40
              block mini_cqes_less_1=1 wqe_counter=33 validity_iteration_count=1 owner=1 format=3
            }
            """);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void textLosesNothing(long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[64];
    for (int i = 0; i < 500; i++) {
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        bytes[3] = 0;
        bytes[2] = 8;
      }
      assertThat(Decoder.encode(MiniCqeText.disassemble(bytes))).isEqualTo(bytes);
      assertThat(Decoder.encode(MiniCqeText.disassembleBlock(bytes))).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 63, 65, 128})
  void otherSizesAreRefused(int size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MiniCqeText.disassemble(new byte[size]))
        .withMessageContaining("fill 64 bytes, not " + size);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MiniCqeText.disassembleBlock(new byte[size]));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ctrl byte_cnt=1      | line 2: expected requester, responder, rest or block, found 'ctrl'
          responder color=1    | line 2: no field is called 'color' here
          rest zeros=65        | line 2: mini entries have 64 bytes at most
          rest zeros=63        | line 1: mini entries fill 64 bytes, found 63
          """)
  void aWrongLineIsNamedWithWhatWasExpected(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MiniCqeText.assemble("mini_cqes {\n" + line + "\n}"))
        .withMessageContaining(message);
  }
}
