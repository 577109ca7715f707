package dev.bluebell.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** The fields of a WQE that an explanation calls wrong are marked. */
class WrongFieldsTest {
  private static final String TWO_SEGMENTS =
      """
      wqe {
        ctrl opcode=SEND index=9 qpn=0x000040 ds=3 ce=always
        data byte_count=64 lkey=0x00001001 address=0x00007f0000002000
        data byte_count=64 lkey=0x00001001 address=0x00007f0000003000
      }
      """;

  private static List<String> marked(String wqe, String sentence) {
    return Jsoup.parse(WrongFields.mark(wqe, sentence).toString()).select("mark").eachText();
  }

  @Test
  void aFieldNamedWithItsValueIsMarkedButNotTheValueItIsComparedWith() {
    assertThat(marked(Records.WQE, Records.WHY)).containsExactly("rkey=0x0000115b");
    assertThat(
            marked(
                Records.WQE,
                "address 0x7f0000001000 with byte_count 64 reaches outside the region of rkey"
                    + " 0x115b, which is [0x7f0000000000, 0x7f0000001000)"))
        .containsExactly("address=0x00007f0000001000", "byte_count=64");
  }

  @Test
  void fieldsThatOnlyIdentifyTheRequestAreNotMarked() {
    assertThat(marked(Records.WQE, "QP 0x40 send WQE 0 (opcode RDMA_WRITE, ds 3): it was lost"))
        .isEmpty();
    assertThat(marked(Records.WQE, "QP 0x40 send WQE 0 (opcode UMR (bind), ds 3): it was lost"))
        .isEmpty();
    assertThat(marked(Records.WQE, "(opcode RDMA_WRITE, ds 3): ds 3 is too small"))
        .containsExactly("ds=3");
  }

  @Test
  void onlyTheNumberedDataSegmentIsMarked() {
    String sentence = "data segment 1 (byte_count 64): lkey 0x1001 does not name a memory key";
    assertThat(marked(TWO_SEGMENTS, sentence)).containsExactly("lkey=0x00001001");
    assertThat(WrongFields.mark(TWO_SEGMENTS, sentence).toString())
        .contains("<mark>lkey=0x00001001</mark> address=0x00007f0000003000");
  }

  @Test
  void aSegmentWithAnImpossibleNumberIsNotMarked() {
    assertThat(marked(TWO_SEGMENTS, "data segment 4294967296 (byte_count 64): lkey 0x1001"))
        .isEmpty();
  }

  @Test
  void inlineSegmentsBeforeADataSegmentCountToo() {
    String wqe =
        """
        wqe {
          ctrl opcode=SEND index=9 qpn=0x000040 ds=4 ce=always
          inline byte_count=4
          bytes 01020304
          data byte_count=64 lkey=0x00001001 address=0x00007f0000002000
          data byte_count=64 lkey=0x00001001 address=0x00007f0000003000
        }
        """;
    String sentence = "data segment 1 (byte_count 64): lkey 0x1001 does not name a memory key";
    assertThat(WrongFields.mark(wqe, sentence).toString())
        .containsOnlyOnce("<mark>")
        .contains("<mark>lkey=0x00001001</mark> address=0x00007f0000002000");
  }

  @Test
  void aKeyOfTheReceiveIsNotMarkedInTheSend() {
    assertThat(marked(TWO_SEGMENTS, "data segment 0 (byte_count 64): lkey 0x115b has the tag 0x5b"))
        .isEmpty();
  }

  @Test
  void namesOfTheManualAreMarkedTooAndOddTextIsEscaped() {
    assertThat(marked(TWO_SEGMENTS, "qp_num in the control segment is 0x40, and should be 0x41"))
        .containsExactly("qpn=0x000040");
    assertThat(WrongFields.mark("wqe {\n  # 5 < 6\n  raw 12345678\n}\n", "any").toString())
        .contains("\n  # 5 &lt; 6\n  raw 12345678\n}");
    assertThat(WrongFields.mark("wqe {\n  raw <b>\n}\n", "raw 0x1").toString())
        .contains("raw &lt;b&gt;");
  }
}
