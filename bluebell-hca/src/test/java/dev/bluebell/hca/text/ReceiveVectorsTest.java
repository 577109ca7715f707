package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of the receive entries that libmlx5 wrote. */
class ReceiveVectorsTest {

  @Test
  void anEntryNamesThePointersOfItsRequest() {
    Vectors.each("rq_recv", ReceiveVectorsTest::assertAnEntryNamesThePointersOfItsRequest);
  }

  private static void assertAnEntryNamesThePointersOfItsRequest(JsonNode vector) {
    for (JsonNode wqe : vector.get("wqes")) {
      byte[] bytes = Vectors.bytes(wqe.get("bytes"));
      assertThat(ReceiveWqeText.assemble(ReceiveWqeText.disassemble(bytes))).isEqualTo(bytes);
      assertThat(Decoder.guess(bytes)).hasValue(Decoder.Kind.RECEIVE);
    }
    byte[] first = Vectors.bytes(vector.get("wqes").get(0).get("bytes"));
    assertPointers(ReceiveWqeText.disassemble(first), vector.get("sges"));
  }

  @Test
  void anEntryWithASignatureShowsIt() {
    Vectors.each("rq_recv_signature", ReceiveVectorsTest::assertAnEntryWithASignatureShowsIt);
  }

  private static void assertAnEntryWithASignatureShowsIt(JsonNode vector) {
    byte[] bytes = Vectors.bytes(vector.get("wqes").get(0).get("bytes"));
    String text = ReceiveWqeText.disassembleSigned(bytes);
    assertThat(ReceiveWqeText.assemble(text)).isEqualTo(bytes);
    assertThat(Texts.number(Texts.line(text, "sig"), "signature")).isEqualTo(bytes[4] & 0xff);
    assertPointers(text, vector.get("sges"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"srq_recv", "srq_recv_wqsig"})
  void anEntryOfASharedQueueNamesItsSuccessor(String group) {
    Vectors.each(group, ReceiveVectorsTest::assertAnEntryOfASharedQueueNamesItsSuccessor);
  }

  private static void assertAnEntryOfASharedQueueNamesItsSuccessor(JsonNode vector) {
    JsonNode ring = vector.get("wqes_after");
    for (int i = 0; i < ring.size(); i++) {
      byte[] bytes = Vectors.bytes(ring.get(i));
      String text = ReceiveWqeText.disassembleShared(bytes);
      assertThat(ReceiveWqeText.assemble(text)).isEqualTo(bytes);
      if (i < vector.get("tail").asInt()) {
        assertThat(Texts.number(Texts.line(text, "next"), "next_wqe_index")).isEqualTo(i + 1);
      }
    }
  }

  private static void assertPointers(String text, JsonNode sges) {
    List<Line> pointers = Texts.lines(text, "data");
    List<JsonNode> expected =
        Vectors.elements(sges).filter(sge -> sge.get("length").asInt() > 0).toList();
    assertThat(pointers).as(text).hasSameSizeAs(expected);
    for (int i = 0; i < pointers.size(); i++) {
      assertThat(Texts.number(pointers.get(i), "byte_count"))
          .isEqualTo(expected.get(i).get("length").asInt());
      assertThat(Texts.number(pointers.get(i), "lkey"))
          .isEqualTo(Vectors.number(expected.get(i).get("lkey")));
      assertThat(Texts.number(pointers.get(i), "address"))
          .isEqualTo(Vectors.number(expected.get(i).get("addr")));
    }
  }
}
