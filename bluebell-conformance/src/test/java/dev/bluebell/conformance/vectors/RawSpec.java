package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.wqe.ControlSegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A request that its caller wrote out, for {@code mlx5dv_wr_raw_wqe}.
 *
 * @param entry as long as its ds says; in the vector bytes that do not belong to it may follow
 * @param signaled whether its completion mode is to have a completion always
 */
record RawSpec(byte[] entry, boolean signaled) {

  static boolean isRaw(JsonNode request) {
    return request.path("call").asText().equals("mlx5dv_wr_raw_wqe");
  }

  static RawSpec of(JsonNode request) {
    byte[] bytes = Numbers.bytes(request, "raw_wqe_in");
    int length = Numbers.integer(request, "ds") * ControlSegment.BYTES;
    if (length < ControlSegment.BYTES || length > bytes.length) {
      throw new IllegalArgumentException("'raw_wqe_in' is shorter than its ds says");
    }
    int mode = ControlSegment.fmCeSe(ByteBuffer.wrap(bytes).getLong(Long.BYTES));
    boolean always = (mode & ControlSegment.CE_MASK) == ControlSegment.CE_ALWAYS;
    return new RawSpec(Arrays.copyOf(bytes, length), always);
  }

  /** The number of the queue pair in the entry. */
  int qpn() {
    return ControlSegment.qpn(ByteBuffer.wrap(entry).getLong(0));
  }
}
