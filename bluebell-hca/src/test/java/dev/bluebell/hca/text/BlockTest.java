package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTest {

  @Test
  void aBlockIsReadLineByLine() {
    Block block =
        Block.parse(
            """

            # before
            input CREATE_CQ op_mod=1 {   # head
              cq_context.log_cq_size=7

              list offset=0x110 00000000 1234b000 # pages
            }
            # behind
            """);
    assertThat(block.kind()).isEqualTo("input");
    assertThat(block.label()).isEqualTo("CREATE_CQ");
    assertThat(block.head().value("op_mod")).hasValue("1");
    assertThat(block.lines()).hasSize(2);
    assertThat(block.lines().getFirst().keyword()).isEmpty();
    assertThat(block.lines().getFirst().value("cq_context.log_cq_size")).hasValue("7");
    Line list = block.lines().get(1);
    assertThat(list.number()).isEqualTo(6);
    assertThat(list.keyword()).isEqualTo("list");
    assertThat(list.words()).isEqualTo(List.of("00000000", "1234b000"));
    assertThat(list.comment()).isEqualTo("pages");
    assertThat(list.value("nothing")).isEmpty();
  }

  @Test
  void theTextOfABlockIsReadBack() {
    String text =
        """
        output QUERY_CQ length=16 {
          status=OK
          list offset=0x10 01 # why
        }
        """;
    assertThat(Block.parse(text)).hasToString(text);
    assertThat(Block.parse(text.replace("\n", "\r\n"))).hasToString(text);
  }

  @Test
  void aTextThatIsNoBlockIsRefusedWithTheLine() {
    assertRefused("", "line 1: expected a block such as 'wqe {', found nothing");
    assertRefused("# only\n\n", "line 3: expected a block such as 'wqe {', found nothing");
    assertRefused("hello", "line 1: expected a block such as 'wqe {', found 'hello'");
    assertRefused("{\n}", "line 1: expected a block such as 'wqe {', found '{'");
    assertRefused("wqe a b {\n}", "line 1: expected '{' after 'a', found 'b'");
    assertRefused("wqe {\nctrl", "line 2: expected '}' at the end of the block");
    assertRefused("wqe {\n} x", "line 2: expected nothing after '}', found '} x'");
    assertRefused("wqe {\n}\nwqe {\n}", "line 3: expected nothing after the block, found 'wqe {'");
    assertRefused("a=b {\n}", "line 1: expected a block such as 'wqe {', found 'a=b {'");
  }

  private static void assertRefused(String text, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> Block.parse(text)).withMessage(message);
  }

  @Test
  void aLongQuoteIsCut() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Block.parse("x".repeat(1000)))
        .withMessageContaining("…")
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(200));
  }

  @Test
  void everyKindIsEncodedByItsName() {
    assertThat(Decoder.encode("wqe {\n raw 01\n}")).containsExactly(1);
    assertThat(Decoder.encode("recv {\n end\n}")).hasSize(16).contains(1);
    assertThat(Decoder.encode("cqe {\n opcode=INVALID\n}")).hasSize(64).endsWith(0xf0);
    assertThat(Decoder.encode("input ALLOC_PD {\n}")).hasSize(16).startsWith(8, 0);
    assertThat(Decoder.encode("output ALLOC_PD {\n pd=5\n}")).hasSize(16).contains(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decoder.encode("packet {\n}"))
        .withMessage("line 1: expected wqe, recv, cqe, mini_cqes, input or output, found 'packet'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("cqe {\n}"))
        .withMessage("line 1: expected 'wqe {', found 'cqe'");
  }

  // Pieces of valid texts, shuffled: everything is either accepted or refused with its line.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  @Tag("slow")
  void noTextCausesAnotherException(int seed) {
    String[] pieces = {
      "wqe",
      "cqe",
      "recv",
      "input",
      "output",
      "{",
      "}",
      "\n",
      "\n",
      "\n",
      " ",
      " ",
      "=",
      "+0x8",
      "ctrl",
      "opcode=SEND",
      "opcode",
      "ds=3",
      "data",
      "inline",
      "bytes",
      "padding",
      "length=3",
      "010203",
      "zeros=5",
      "offset=0x110",
      "list",
      "0x",
      "99999999999999999999",
      "-1",
      "#",
      "end",
      "CREATE_QP",
      "QUERY_HCA_CAP",
      "op_mod=1",
      "qpc.pd=3",
      "status=OK",
      "head",
      "\u0661",
      "rest",
      "umr",
      "mkc",
      "klm",
      "owner=1",
      "0xffffffffffffffff",
      "\0",
      "é",
      "raw",
      "+1=1",
      "qpc_ext=1",
    };
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < 1000; i++) {
      StringBuilder text =
          new StringBuilder(random.nextBoolean() ? "wqe {\n" : "input CREATE_QP {\n");
      int count = random.nextInt(8);
      for (int k = 0; k < count; k++) {
        text.append(pieces[random.nextInt(pieces.length)]);
        text.append(random.nextInt(3) == 0 ? "\n" : " ");
      }
      text.append("\n}\n");
      try {
        Decoder.encode(text.toString());
        accepted++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed %d: %s", seed, text).startsWith("line ");
      }
    }
    assertThat(accepted).isPositive();
  }
}
