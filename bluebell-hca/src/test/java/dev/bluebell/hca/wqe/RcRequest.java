package dev.bluebell.hca.wqe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import java.io.ByteArrayOutputStream;

/**
 * A request of a posting vector, and the list of its segments.
 *
 * @param vector the vector that contains the request
 */
record RcRequest(JsonNode request, JsonNode vector) {
  boolean isInline() {
    return request.get("send_flags").valueStream().anyMatch(flag -> flag.asText().equals("INLINE"));
  }

  byte[] inlineData() {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    request.get("sge").forEach(sge -> data.writeBytes(Vectors.bytes(sge.get("inline_data"))));
    return data.toByteArray();
  }

  /** Length of a pointer; {@code ibv_post_send} sets that of an atomic's result to 8. */
  int length(JsonNode sge) {
    boolean forced =
        request.get("opcode").asText().startsWith("ATOMIC")
            && vector.get("api").asText().equals("ibv_post_send");
    return forced ? AtomicSegment.OPERAND_BYTES : sge.get("length").asInt();
  }
}
