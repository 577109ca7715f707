package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceiveRequest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A shared receive queue has the same bytes as libmlx5's, before and after requests were posted.
 */
class SharedReceiveVectorsTest {

  static Stream<Arguments> vectors() {
    // Where it signs receive requests elsewhere, libmlx5 does not sign these.
    return Stream.of("srq_recv", "srq_recv_wqsig")
        .flatMap(group -> Vectors.load(group).stream())
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void entriesEqualThoseOfLibmlx5(String name, JsonNode vector) {
    int stride = vector.get("stride").asInt();
    // Behind them libmlx5 keeps requests that wait for pages.
    int entries = vector.get("tail").asInt() + 1;
    TestMemory memory = new TestMemory(entries * stride);
    memory.write(0, new byte[entries * stride]);
    TestMemory record = new TestMemory(4);
    SharedReceiveRing receive =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                memory.address(),
                Integer.numberOfTrailingZeros(entries),
                Integer.numberOfTrailingZeros(stride),
                record.address(),
                name));
    assertThat(entries(memory, stride)).isEqualTo(recorded(vector.get("wqes_before"), entries));

    List<JsonNode> segments = vector.get("sges").valueStream().toList();
    post(receive.receive(), segments);
    post(receive.receive(), segments.subList(0, Math.min(1, segments.size())));
    receive.ringDoorbell();

    assertThat(entries(memory, stride)).isEqualTo(recorded(vector.get("wqes_after"), entries));
    assertThat("0x" + record.hex(0, 4)).isEqualTo(vector.get("dbrec").asText());
  }

  private static void post(ReceiveLanding request, List<JsonNode> segments) {
    if (segments.isEmpty()) {
      request.empty().post(0);
      return;
    }
    ReceiveRequest stage = request.scatter(0, 0, 0);
    for (JsonNode segment : segments) {
      stage =
          stage.scatter(
              Vectors.number(segment.get("addr")),
              segment.get("length").asInt(),
              Vectors.integer(segment.get("lkey")));
    }
    stage.post(1);
  }

  private static List<String> entries(TestMemory memory, int stride) {
    String all = HexFormat.of().formatHex(memory.bytes());
    return Stream.iterate(0, at -> at < all.length(), at -> at + 2 * stride)
        .map(at -> all.substring(at, at + 2 * stride))
        .toList();
  }

  private static List<String> recorded(JsonNode entries, int count) {
    return entries.valueStream().limit(count).map(JsonNode::asText).toList();
  }
}
