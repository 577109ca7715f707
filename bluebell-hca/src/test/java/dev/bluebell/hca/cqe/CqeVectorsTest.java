package dev.bluebell.hca.cqe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the accessors with the values that libmlx5 read from the same entries. */
class CqeVectorsTest {
  /** verbs.h: IBV_WC_GRH. */
  private static final int WC_GRH = 1;

  private static final Map<String, Integer> STATUSES =
      Map.ofEntries(
          Map.entry("local length error", Syndrome.LOCAL_LENGTH_ERR),
          Map.entry("local QP operation error", Syndrome.LOCAL_QP_OP_ERR),
          Map.entry("local protection error", Syndrome.LOCAL_PROT_ERR),
          Map.entry("Work Request Flushed Error", Syndrome.WR_FLUSH_ERR),
          Map.entry("memory management operation error", Syndrome.MW_BIND_ERR),
          Map.entry("bad response error", Syndrome.BAD_RESP_ERR),
          Map.entry("local access error", Syndrome.LOCAL_ACCESS_ERR),
          Map.entry("remote invalid request error", Syndrome.REMOTE_INVAL_REQ_ERR),
          Map.entry("remote access error", Syndrome.REMOTE_ACCESS_ERR),
          Map.entry("remote operation error", Syndrome.REMOTE_OP_ERR),
          Map.entry("transport retry counter exceeded", Syndrome.TRANSPORT_RETRY_EXC_ERR),
          Map.entry("RNR retry counter exceeded", Syndrome.RNR_RETRY_EXC_ERR),
          Map.entry("aborted error", Syndrome.REMOTE_ABORTED_ERR));

  private static final Map<String, Integer> OPCODES =
      Map.of(
          "RDMA_READ", WqeOpcode.RDMA_READ,
          "COMP_SWAP", WqeOpcode.ATOMIC_CS,
          "FETCH_ADD", WqeOpcode.ATOMIC_FA);

  private static boolean isSingle(JsonNode vector) {
    return vector.path("cq_before").size() == 1
        && vector.path("wc").size() == 1
        && !vector.get("name").asText().startsWith("first_cqe.");
  }

  private static ByteBuffer cqe(JsonNode vector) {
    byte[] slot = Vectors.bytes(vector.get("cq_before").get(0));
    return ByteBuffer.wrap(slot, slot.length - Cqe.BYTES, Cqe.BYTES).slice();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cqe_success", "cqe_errors"})
  void accessorsReadWhatTheLibraryReported(String group) {
    Vectors.each(
        group, CqeVectorsTest::isSingle, CqeVectorsTest::assertAccessorsReadWhatTheLibraryReported);
  }

  private static void assertAccessorsReadWhatTheLibraryReported(JsonNode vector) {
    ByteBuffer cqe = cqe(vector);
    JsonNode wc = vector.get("wc").get(0);
    long last = cqe.getLong(Cqe.LAST_WORD);
    assertThat(Cqe.qpn(last)).isEqualTo((int) Vectors.number(vector.get("qpn")));
    assertThat(Cqe.owner(last)).isZero();
    if (wc.get("status").asText().equals("success")) {
      assertSuccess(cqe, wc, last);
    } else {
      assertFailure(cqe, wc, last);
    }
  }

  private static void assertSuccess(ByteBuffer cqe, JsonNode wc, long last) {
    String opcode = wc.get("opcode").asText();
    if (opcode.startsWith("RECV")) {
      assertThat(Cqe.opcode(last))
          .isIn(
              CqeOpcode.RESP_SEND,
              CqeOpcode.RESP_SEND_IMM,
              CqeOpcode.RESP_SEND_INV,
              CqeOpcode.RESP_WR_IMM);
      assertThat(Cqe.sendOpcode(last)).isZero();
      assertThat(Cqe.opcode(last) == CqeOpcode.RESP_WR_IMM)
          .isEqualTo(opcode.equals("RECV_RDMA_WITH_IMM"));
    } else {
      assertThat(Cqe.opcode(last)).isEqualTo(CqeOpcode.REQ);
      if (OPCODES.containsKey(opcode)) {
        assertThat(Cqe.sendOpcode(last)).isEqualTo(OPCODES.get(opcode));
      }
    }
    assertNumber(wc, "byte_len", Cqe.byteCount(cqe.getLong(Cqe.BYTE_COUNT_WORD)));
    assertNumber(wc, "src_qp", Cqe.remoteQpn(cqe.getLong(Cqe.FLAGS_RQPN_WORD)));
    assertHeader(wc, cqe.getLong(Cqe.FLAGS_RQPN_WORD));
    assertNumber(wc, "completion_ts", cqe.getLong(Cqe.TIMESTAMP_WORD));
    if (Cqe.opcode(last) == CqeOpcode.RESP_SEND_IMM || Cqe.opcode(last) == CqeOpcode.RESP_WR_IMM) {
      assertNumber(wc, "imm_data", immediate(cqe));
    }
    if (Cqe.opcode(last) == CqeOpcode.RESP_SEND_INV) {
      assertNumber(wc, "invalidated_rkey", immediate(cqe));
    }
  }

  private static void assertHeader(JsonNode wc, long flags) {
    if (wc.path("opcode").asText().startsWith("RECV") && wc.path("wc_flags").isNumber()) {
      assertThat(Cqe.hasHeader(flags)).isEqualTo((wc.get("wc_flags").asInt() & WC_GRH) != 0);
    }
  }

  private static long immediate(ByteBuffer cqe) {
    return Cqe.immediate(cqe.getLong(Cqe.UIDX_IMMEDIATE_WORD)) & 0xffffffffL;
  }

  private static void assertFailure(ByteBuffer cqe, JsonNode wc, long last) {
    long errors = cqe.getLong(Cqe.TIMESTAMP_WORD);
    assertThat(Cqe.opcode(last)).isIn(CqeOpcode.REQ_ERR, CqeOpcode.RESP_ERR);
    Integer syndrome = STATUSES.get(wc.get("status").asText());
    if (syndrome != null) {
      assertThat(Cqe.syndrome(errors)).isEqualTo(syndrome);
    } else {
      assertThat(Syndrome.name(Cqe.syndrome(errors))).startsWith("0x");
    }
    assertThat(Cqe.vendorSyndrome(errors)).isEqualTo((int) Vectors.number(wc.get("vendor_err")));
  }

  private static void assertNumber(JsonNode wc, String name, long value) {
    JsonNode expected = wc.path(name);
    if (!expected.isMissingNode() && !expected.isNull()) {
      assertThat(value).as(name).isEqualTo(Vectors.number(expected));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cqe_success", "cqe_errors"})
  void packersMakeTheWordsThatTheAccessorsRead(String group) {
    Vectors.each(
        group,
        CqeVectorsTest::isSingle,
        CqeVectorsTest::assertPackersMakeTheWordsThatTheAccessorsRead);
  }

  private static void assertPackersMakeTheWordsThatTheAccessorsRead(JsonNode vector) {
    ByteBuffer cqe = cqe(vector);
    long last = cqe.getLong(Cqe.LAST_WORD);
    long signature = last & 0xff00;
    int opOwn =
        Cqe.opOwn(Cqe.opcode(last), Cqe.solicited(last), Cqe.owner(last)) | Cqe.format(last) << 2;
    assertThat(
            Cqe.lastWord(Cqe.sendOpcode(last), Cqe.qpn(last), Cqe.wqeCounter(last), opOwn)
                | signature)
        .isEqualTo(last);
    long word = cqe.getLong(Cqe.UIDX_IMMEDIATE_WORD);
    assertThat(Cqe.uidxImmediateWord(Cqe.userIndex(word), Cqe.immediate(word))).isEqualTo(word);
    long errors = cqe.getLong(Cqe.TIMESTAMP_WORD);
    assertThat(Cqe.errorWord(Cqe.vendorSyndrome(errors), Cqe.syndrome(errors)))
        .isEqualTo(errors & 0xffff);
  }
}
