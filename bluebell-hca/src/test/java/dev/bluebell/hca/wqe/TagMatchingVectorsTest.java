package dev.bluebell.hca.wqe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.structure.Field;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The fields of tag matching in requests that libmlx5 wrote and completions that it read. */
class TagMatchingVectorsTest {
  private static final long TAG = 0x1122334455667788L;
  private static final long MASK = 0xffffffff0000ffffL;

  @Test
  void requestsHaveTheirFieldsInTheSegment() {
    Vectors.each("tm_srq_ops", TagMatchingVectorsTest::assertFields);
  }

  private static void assertFields(JsonNode vector) {
    String asked = vector.get("desc").asText();
    int position = 0;
    for (byte[] bytes : Vectors.entries(vector)) {
      boolean removes = asked.contains("TAG_DEL") && position == 1;
      boolean synchronizes = asked.startsWith("TAG_SYNC");
      int operation = TagMatchingSegment.APPEND;
      if (removes || synchronizes) {
        operation = removes ? TagMatchingSegment.REMOVE : TagMatchingSegment.NOP;
      } else {
        assertThat(field(bytes, TagMatchingSegment.APPEND_TAG)).isEqualTo(TAG + position);
        assertThat(field(bytes, TagMatchingSegment.APPEND_MASK)).isEqualTo(MASK);
        assertThat(field(bytes, TagMatchingSegment.INDEX)).isEqualTo(position + 1);
      }
      assertThat(field(bytes, TagMatchingSegment.OPCODE)).isEqualTo(operation);
      assertFlags(asked, bytes);
      position++;
    }
  }

  private static void assertFlags(String asked, byte[] bytes) {
    boolean counts = asked.contains("TM_SYNC");
    assertThat(field(bytes, TagMatchingSegment.FLAGS))
        .isEqualTo(
            (asked.contains("unsignaled") ? 0 : TagMatchingSegment.CQE_REQ)
                | (counts ? TagMatchingSegment.SW_CNT_VALID : 0));
    if (counts) {
      long count = Long.decode(asked.replaceAll(".*unexpected_cnt=(0x[0-9a-f]+).*", "$1"));
      assertThat(field(bytes, TagMatchingSegment.SW_CNT)).isEqualTo(count);
    }
  }

  private static long field(byte[] bytes, Field field) {
    return field.get(bytes, ControlSegment.BYTES);
  }

  @Test
  void completionsHaveTheirFields() {
    Vectors.each("cqe_tag_matching", TagMatchingVectorsTest::assertCompletion);
  }

  private static void assertCompletion(JsonNode vector) {
    byte[] cqe = Vectors.bytes(vector.get("cqe"));
    String name = vector.get("name").asText().substring(3).split(" ")[0].toUpperCase(Locale.ROOT);
    assertThat((int) Cqe.APP_OP.get(cqe, 0)).isEqualTo(operation(name));
    assertThat(Cqe.APP.get(cqe, 0)).isEqualTo(Cqe.APP_TAG_MATCHING);
    int word = (int) (Cqe.APP_INFO.get(cqe, 0));
    long expected = TagMatchingCqe.word(operation(name), word, (int) Cqe.BYTE_CNT.get(cqe, 0));
    assertThat(new Field("app and byte_cnt", 8 * Cqe.BYTE_COUNT_WORD, 64).get(cqe, 0))
        .isEqualTo(expected);
    if (vector.get("tm_tag").asText().equals("0x11")) {
      assertThat(TagMatchingCqe.TMH_TAG.get(cqe, 0)).isEqualTo(0x11);
      assertThat(TagMatchingCqe.TMH_APP_CTX.get(cqe, 0)).isEqualTo(0x1234);
      assertThat(TagMatchingCqe.TMH_OPCODE.get(cqe, 0)).isEqualTo(TagMatchingHeader.EAGER);
    }
  }

  private static int operation(String name) {
    return switch (name) {
      case "CONSUMED" -> TagMatchingCqe.CONSUMED;
      case "EXPECTED" -> TagMatchingCqe.EXPECTED;
      case "UNEXPECTED" -> TagMatchingCqe.UNEXPECTED;
      case "NO_TAG" -> TagMatchingCqe.NO_TAG;
      case "APPEND" -> TagMatchingCqe.APPEND;
      case "NOOP" -> TagMatchingCqe.NOOP;
      case "CONSUMED_SW_RNDV" -> TagMatchingCqe.CONSUMED_SW_RNDV;
      case "CONSUMED_MSG" -> TagMatchingCqe.CONSUMED_MSG;
      case "CONSUMED_MSG_SW_RNDV" -> TagMatchingCqe.CONSUMED_MSG_SW_RNDV;
      case "MSG_COMPLETION_CANCELED" -> TagMatchingCqe.MSG_COMPLETION_CANCELED;
      default -> throw new AssertionError(name);
    };
  }
}
