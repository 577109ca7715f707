package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.wqe.ControlSegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A raw request for {@code mlx5dv_wr_raw_wqe}, encoded by its caller.
 *
 * @param entry of the length in its ds field; the vector may have further bytes
 * @param signaled whether its completion mode always requests a completion
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
