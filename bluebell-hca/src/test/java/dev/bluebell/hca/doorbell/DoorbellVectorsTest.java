package dev.bluebell.hca.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.wqe.ControlSegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares doorbells with those that libmlx5 wrote. */
class DoorbellVectorsTest {

  @Test
  void armingACompletionQueueWritesTheSameWords() {
    Vectors.each("cq_arm", DoorbellVectorsTest::assertArmingACompletionQueueWritesTheSameWords);
  }

  private static void assertArmingACompletionQueueWritesTheSameWords(JsonNode vector) {
    int index = vector.get("cons_index").asInt();
    int cqn = (int) Vectors.number(vector.get("cqn"));
    boolean solicitedOnly = vector.get("solicited_only").asInt() != 0;
    int record = CqArm.record(0, solicitedOnly, index);
    assertThat(record).isEqualTo((int) Vectors.number(vector.get("dbrec_arm")));
    assertThat(index & CqArm.INDEX_MASK)
        .isEqualTo((int) Vectors.number(vector.get("dbrec_set_ci")));
    long register = ByteBuffer.wrap(Vectors.bytes(vector.get("uar_bytes"))).getLong();
    assertThat(CqArm.register(record, cqn)).isEqualTo(register);
    assertThat(Uar.CQ_DOORBELL).isEqualTo(vector.get("uar_offset").asInt());
    assertThat(CqArm.record(register)).isEqualTo(record);
    assertThat(CqArm.cqn(register)).isEqualTo(cqn);
    assertThat(CqArm.solicitedOnly(record)).isEqualTo(solicitedOnly);
    assertThat(CqArm.consumerIndex(record)).isEqualTo(index);
  }

  @Test
  void theArmCommandKeepsItsFieldsApart() {
    int record = CqArm.record(3, true, 0xffffff);
    assertThat(record).isEqualTo(0x31ffffff);
    assertThat(CqArm.sequence(record)).isEqualTo(3);
    assertThat(CqArm.record(4, false, 0x1000005)).isEqualTo(5);
    assertThat(CqArm.register(0x31ffffff, 0xff000404)).isEqualTo(0x31ffffff_00000404L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"doorbell", "rc_core"})
  void aSendDoorbellIsTheFirstWordOfAnEntry(String group) {
    Vectors.each(group, DoorbellVectorsTest::assertASendDoorbellIsTheFirstWordOfAnEntry);
  }

  private static void assertASendDoorbellIsTheFirstWordOfAnEntry(JsonNode vector) {
    int producer = vector.get("dbrec").get("snd").asInt();
    int blocks = vector.get("wqebbs").size();
    int start = vector.get("start_index").asInt();
    assertThat(producer).isEqualTo(start + blocks & 0xffff);
    assertThat(vector.get("uar").size()).isPositive();
    for (JsonNode write : vector.get("uar")) {
      ByteBuffer bytes = ByteBuffer.wrap(Vectors.bytes(write.get("bytes")));
      long first = bytes.getLong();
      assertThat(ControlSegment.qpn(first))
          .isEqualTo((int) Vectors.number(vector.get("qp").get("qpn")));
      assertThat(write.get("offset_from_bf_reg").asInt()).isIn(0, Uar.BLUEFLAME_BUFFER_BYTES);
      if (write.get("kind").asText().equals("blueflame")) {
        assertThat(bytes.capacity()).isLessThanOrEqualTo(Uar.BLUEFLAME_BUFFER_BYTES);
        assertThat(ControlSegment.wqebbs(ControlSegment.ds(first)))
            .isEqualTo(bytes.capacity() / ControlSegment.WQEBB_BYTES);
      } else {
        assertThat(bytes.capacity()).isEqualTo(Long.BYTES);
      }
    }
    assertThat(vector.get("bf_buf_size").asInt()).isEqualTo(Uar.BLUEFLAME_BUFFER_BYTES);
  }

  @Test
  void theBuffersOfTheUsableRegistersFitTheirPage() {
    int end = Uar.BLUEFLAME + Uar.BLUEFLAME_REGISTERS * Uar.BLUEFLAME_REGISTER_BYTES;
    assertThat(end).isLessThanOrEqualTo(Uar.PAGE_BYTES);
    assertThat(2 * Uar.BLUEFLAME_BUFFER_BYTES).isEqualTo(Uar.BLUEFLAME_REGISTER_BYTES);
    assertThat(Uar.BLUEFLAME).isGreaterThan(Uar.CQ_DOORBELL + Long.BYTES);
  }
}
