package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of the completions that libmlx5 read. */
class CompletionVectorsTest {

  /** One vector sets bits of flags_rqpn that have no meaning, one ends in flushed requests. */
  private static boolean isWhollyNamed(byte[] cqe) {
    int base = cqe.length - Cqe.BYTES;
    return (cqe[base + Cqe.FLAGS_RQPN_WORD] & 0xc0) == 0
        && Cqe.opcode(cqe[cqe.length - 1]) < CqeOpcode.SIG_ERR;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cqe_success", "cqe_errors", "cqe_inline_scatter"})
  void completionsSurvive(String group) {
    Vectors.each(group, CompletionVectorsTest::assertCompletionsSurvive);
  }

  private static void assertCompletionsSurvive(JsonNode vector) {
    for (JsonNode slot : vector.path("cq_before")) {
      byte[] cqe = Vectors.bytes(slot);
      String text = CqeText.disassemble(cqe);
      assertThat(CqeText.assemble(text)).as(text).isEqualTo(cqe);
    }
  }

  @Test
  void everyBitOfASuccessHasANameAndIsRecognized() {
    Vectors.each(
        "cqe_success", CompletionVectorsTest::assertEveryBitOfASuccessHasANameAndIsRecognized);
  }

  private static void assertEveryBitOfASuccessHasANameAndIsRecognized(JsonNode vector) {
    for (JsonNode slot : vector.get("cq_before")) {
      byte[] cqe = Vectors.bytes(slot);
      if (isWhollyNamed(cqe)) {
        assertThat(CqeText.disassemble(cqe)).doesNotContain("+0x");
      }
      assertThat(Decoder.guess(cqe)).hasValue(Decoder.Kind.CQE);
      assertThat(Texts.value(CqeText.disassemble(cqe), "qpn"))
          .isEqualTo(vector.get("qpn").asText());
    }
  }

  @Test
  void aFailureShowsItsSyndromes() {
    Vectors.each(
        "cqe_errors",
        vector -> vector.get("name").asText().contains("synd_"),
        CompletionVectorsTest::assertAFailureShowsItsSyndromes);
  }

  private static void assertAFailureShowsItsSyndromes(JsonNode vector) {
    for (JsonNode slot : vector.get("cq_before")) {
      byte[] cqe = Vectors.bytes(slot);
      String text = CqeText.disassemble(cqe);
      assertThat(Texts.value(text, "opcode")).isIn("REQ_ERR", "RESP_ERR");
      String vendor = vector.get("wc").get(0).get("vendor_err").asText();
      assertThat(Integer.decode(Texts.value(text, "vendor_err_synd")))
          .isEqualTo(Integer.decode(vendor));
    }
  }

  @Test
  void aTagMatchingEventSurvivesAndIsNamed() {
    Vectors.each(
        "cqe_tag_matching", CompletionVectorsTest::assertATagMatchingEventSurvivesAndIsNamed);
  }

  private static void assertATagMatchingEventSurvivesAndIsNamed(JsonNode vector) {
    byte[] cqe = Vectors.bytes(vector.get("cqe"));
    String text = CqeText.disassemble(cqe);
    assertThat(CqeText.assemble(text)).as(text).isEqualTo(cqe);
    if (vector.get("status").asInt() == 0) {
      assertThat(Texts.value(text, "app")).isEqualTo("tag_matching");
      assertThat(Texts.value(text, "app_op")).doesNotStartWith("0x");
    }
  }
}
