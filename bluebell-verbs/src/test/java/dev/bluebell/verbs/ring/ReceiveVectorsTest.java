package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.ReceiveRequest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The receive builder writes what libmlx5 wrote. */
class ReceiveVectorsTest {

  static Stream<Arguments> vectors() {
    return Stream.of("rq_recv", "rq_recv_signature")
        .flatMap(
            group ->
                Vectors.load(group).stream()
                    .map(
                        vector ->
                            Arguments.of(
                                vector.get("name").asText(), !group.equals("rq_recv"), vector)));
  }

  @ParameterizedTest(name = "{0}, signed {1}")
  @MethodSource("vectors")
  void requestsEqualThoseOfLibmlx5(String name, boolean signed, JsonNode vector) {
    int requests = vector.get("rq_wqe_cnt").asInt();
    int stride = vector.get("rq_stride").asInt();
    TestMemory ring = new TestMemory(requests * stride);
    TestMemory record = new TestMemory(8);
    ReceiveRingLayout layout =
        new ReceiveRingLayout(
            ring.address(),
            Integer.numberOfTrailingZeros(requests),
            Integer.numberOfTrailingZeros(stride),
            0x0a1b01,
            record.address(),
            vector.get("start_index").asInt(),
            signed,
            false);
    ReceiveRing receive = new ReceiveRing(layout);
    List<JsonNode> segments = vector.get("sges").valueStream().toList();
    post(receive, segments);
    post(receive, segments.subList(0, Math.min(1, segments.size())));
    receive.ringDoorbell();

    assertThat(record.hex(0, 4)).isEqualTo("%08x".formatted(vector.get("dbrec_rcv").asInt()));
    byte[] rest = ring.bytes();
    for (JsonNode wqe : vector.get("wqes")) {
      int at = (wqe.get("index").asInt() & requests - 1) * stride;
      assertThat(masked(ring.bytes(at, stride), wqe))
          .isEqualTo(masked(Vectors.bytes(wqe.get("bytes")), wqe));
      Arrays.fill(rest, at, at + stride, TestMemory.POISON);
    }
    assertThat(rest).as("other requests").containsOnly(TestMemory.POISON);
  }

  private static void post(ReceiveRing receive, List<JsonNode> segments) {
    if (segments.isEmpty()) {
      receive.receive().empty().post(1);
      return;
    }
    ReceiveRequest stage = receive.receive().scatter(0, 0, 0);
    for (JsonNode segment : segments) {
      stage =
          stage.scatter(
              Vectors.number(segment.get("addr")),
              segment.get("length").asInt(),
              Vectors.integer(segment.get("lkey")));
    }
    stage.post(1);
  }

  private static String masked(byte[] bytes, JsonNode wqe) {
    byte[] mask = Vectors.bytes(wqe.get("mask"));
    for (int i = 0; i < mask.length; i++) {
      bytes[i] &= mask[i];
    }
    return HexFormat.of().formatHex(bytes);
  }
}
