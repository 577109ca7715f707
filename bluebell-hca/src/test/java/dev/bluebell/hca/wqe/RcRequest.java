package dev.bluebell.hca.wqe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request of a posting vector, and the entry that the packers create from it.
 *
 * @param vector the vector that contains the request
 */
record RcRequest(JsonNode request, JsonNode vector) {
  private static final Map<String, Integer> OPCODES =
      Map.of(
          "SEND", WqeOpcode.SEND,
          "SEND_WITH_IMM", WqeOpcode.SEND_IMM,
          "SEND_WITH_INV", WqeOpcode.SEND_INVAL,
          "RDMA_WRITE", WqeOpcode.RDMA_WRITE,
          "RDMA_WRITE_WITH_IMM", WqeOpcode.RDMA_WRITE_IMM,
          "RDMA_READ", WqeOpcode.RDMA_READ,
          "ATOMIC_CMP_AND_SWP", WqeOpcode.ATOMIC_CS,
          "ATOMIC_FETCH_AND_ADD", WqeOpcode.ATOMIC_FA);

  int opcode() {
    return OPCODES.get(request.get("opcode").asText());
  }

  int qpn() {
    return (int) Vectors.number(vector.get("qp").get("qpn"));
  }

  boolean isAtomic() {
    return opcode() == WqeOpcode.ATOMIC_CS || opcode() == WqeOpcode.ATOMIC_FA;
  }

  boolean hasRemoteAddress() {
    return request.has("remote_addr");
  }

  boolean isInline() {
    return flags().contains("INLINE");
  }

  Set<String> flags() {
    Set<String> flags = new TreeSet<>();
    request.get("send_flags").forEach(flag -> flags.add(flag.asText()));
    return flags;
  }

  int fmCeSe() {
    boolean all = vector.get("qp").path("sq_sig_all").asInt() != 0;
    int value = all || flags().contains("SIGNALED") ? ControlSegment.CE_ALWAYS : 0;
    value |= flags().contains("SOLICITED") ? ControlSegment.SOLICITED : 0;
    return value | (flags().contains("FENCE") ? ControlSegment.FENCE_SMALL_AND_FENCE : 0);
  }

  int immediate() {
    return (int)
        (request.has("imm_be32")
            ? number("imm_be32")
            : request.has("invalidate_rkey") ? number("invalidate_rkey") : 0);
  }

  long number(String name) {
    return Vectors.number(request.get(name));
  }

  byte[] inlineData() {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    request.get("sge").forEach(sge -> data.writeBytes(Vectors.bytes(sge.get("inline_data"))));
    return data.toByteArray();
  }

  /** The entry at {@code index}, made by the packers, in whole blocks. */
  byte[] entry(int index) {
    ByteBuffer segments = ByteBuffer.allocate(ControlSegment.MAX_DS * ControlSegment.BYTES);
    segments.position(ControlSegment.BYTES);
    if (hasRemoteAddress()) {
      segments.putLong(number("remote_addr"));
      segments.putLong(RemoteAddressSegment.second((int) number("rkey")));
    }
    if (opcode() == WqeOpcode.ATOMIC_CS) {
      segments.putLong(number("swap")).putLong(number("compare_add"));
    } else if (opcode() == WqeOpcode.ATOMIC_FA) {
      segments.putLong(number("compare_add")).putLong(0);
    }
    if (isInline()) {
      putInline(segments, inlineData());
    } else {
      request.get("sge").forEach(sge -> putData(segments, sge));
    }
    int ds = segments.position() / ControlSegment.BYTES;
    segments.putLong(0, ControlSegment.first(0, index, opcode(), qpn(), ds));
    segments.putLong(8, ControlSegment.second(fmCeSe(), immediate()));
    byte[] entry = new byte[ControlSegment.wqebbs(ds) * ControlSegment.WQEBB_BYTES];
    segments.get(0, entry, 0, Math.min(entry.length, segments.position()));
    return entry;
  }

  private static void putInline(ByteBuffer segments, byte[] data) {
    if (data.length > 0) {
      int start = segments.position();
      segments.putInt(InlineSegment.header(data.length)).put(data);
      segments.position(start + InlineSegment.ds(data.length) * ControlSegment.BYTES);
    }
  }

  /** Length of a pointer; {@code ibv_post_send} sets that of an atomic's result to 8. */
  int length(JsonNode sge) {
    boolean forced = isAtomic() && vector.get("api").asText().equals("ibv_post_send");
    return forced ? AtomicSegment.OPERAND_BYTES : sge.get("length").asInt();
  }

  private void putData(ByteBuffer segments, JsonNode sge) {
    int length = length(sge);
    if (length > 0) {
      segments.putLong(DataSegment.first(length, (int) Vectors.number(sge.get("lkey"))));
      segments.putLong(Vectors.number(sge.get("addr")));
    }
  }
}
