package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The builders write what libmlx5 wrote, at every ring position, and ring as it rang. */
class SendVectorsTest {
  private static final int WQEBB = 64;
  private static final int BUFFER = 256;

  static Stream<Arguments> vectors() {
    return Stream.of(
            "rc_core", "rc_inline", "doorbell", "uc", "ud_eth", "ud_ib", "xrc_dc", "xrc_dc_ib")
        .flatMap(group -> Vectors.load(group).stream())
        .flatMap(
            vector ->
                Stream.of(InlineSource.values())
                    .filter(source -> source == InlineSource.ARRAY || hasInlineData(vector))
                    .map(source -> Arguments.of(vector.get("name").asText(), source, vector)));
  }

  /** Where inline data comes from. */
  enum InlineSource {
    ARRAY,
    HEAP_SEGMENT,
    NATIVE_SEGMENT
  }

  private static boolean hasInlineData(JsonNode vector) {
    return vector.findValue("inline_data") != null;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("vectors")
  void requestsAndDoorbellsEqualThoseOfLibmlx5(String name, InlineSource source, JsonNode vector) {
    check(source, vector, false);
    check(source, vector, true);
  }

  private static void check(InlineSource source, JsonNode vector, boolean staged) {
    JsonNode qp = vector.get("qp");
    int wqebbs = qp.get("sq_wqe_cnt").asInt();
    TestMemory ring = new TestMemory(wqebbs * WQEBB);
    TestMemory record = new TestMemory(WQEBB);
    TestMemory register = new TestMemory(2 * BUFFER);
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                    ring.address(),
                    Integer.numberOfTrailingZeros(wqebbs),
                    Vectors.integer(qp.get("qpn")),
                    record.address(),
                    register.address(),
                    SendRingLayout.wqeBytes(
                        service(qp),
                        qp.get("max_send_sge_req").asInt(),
                        qp.get("max_inline_req").asInt()))
                .startingAt(vector.get("start_index").asInt())
                .withBlueFlame(true)
                .withStaging(staged));

    if (vector.get("ret").asInt() != 0) {
      assertThatThrownBy(() -> post(vector, source, send)).hasMessageContaining("0xa1b01");
      assertThat(send.freeWqebbs()).isEqualTo(wqebbs);
      send.ringDoorbell();
      assertThat(record.bytes()).containsOnly(TestMemory.POISON);
      assertThat(register.bytes()).containsOnly(TestMemory.POISON);
      return;
    }

    post(vector, source, send);
    assertThatRingHolds(vector.get("wqebbs"), ring);
    assertThat(record.hex(4, 4)).isEqualTo("%08x".formatted(vector.at("/dbrec/snd").asInt()));
    assertThatRegisterHolds(vector.get("uar"), register);
  }

  private static ServiceType service(JsonNode qp) {
    return switch (qp.get("type").asText()) {
      case "XRC_SEND" -> ServiceType.XRC;
      case "DCI_STREAM" -> ServiceType.DCI;
      default -> ServiceType.valueOf(qp.get("type").asText());
    };
  }

  private static void post(JsonNode vector, InlineSource source, SendRing send) {
    String api = vector.get("api").asText();
    for (JsonNode request : vector.get("requests")) {
      post(request, api, source, vector.at("/qp/sq_sig_all").asInt() != 0, send);
      if (api.contains(" x")) {
        send.ringDoorbell();
      }
    }
    send.ringDoorbell();
  }

  private static void post(
      JsonNode request, String api, InlineSource source, boolean signalAll, SendRing send) {
    Set<String> flags =
        request.get("send_flags").valueStream().map(JsonNode::asText).collect(Collectors.toSet());
    RequestModifiers stage = build(request, api, source, send);
    if (flags.contains("FENCE")) {
      stage = stage.fence();
    }
    if (flags.contains("SOLICITED")) {
      stage = stage.solicited();
    }
    long id = Vectors.number(request.get("wr_id"));
    if (signalAll || flags.contains("SIGNALED")) {
      stage.signaled(id);
    } else {
      stage.unsignaled(id);
    }
  }

  private static RequestModifiers build(
      JsonNode request, String api, InlineSource source, SendRing send) {
    List<JsonNode> segments = request.get("sge").valueStream().toList();
    long remote = request.has("remote_addr") ? Vectors.number(request.get("remote_addr")) : 0;
    int rkey = request.has("rkey") ? Vectors.integer(request.get("rkey")) : 0;
    int immediate = request.has("imm_be32") ? Vectors.integer(request.get("imm_be32")) : 0;
    String opcode = request.get("opcode").asText();
    PlainRequest start = Destinations.start(request, send);
    return switch (opcode) {
      case "SEND" -> data(start.send(), segments, source);
      case "SEND_WITH_IMM" -> data(start.sendImmediate(immediate), segments, source);
      case "SEND_WITH_INV" ->
          data(
              start.sendInvalidate(Vectors.integer(request.get("invalidate_rkey"))),
              segments,
              source);
      case "RDMA_WRITE" -> data(start.write(remote, rkey), segments, source);
      case "RDMA_WRITE_WITH_IMM" ->
          data(start.writeImmediate(remote, rkey, immediate), segments, source);
      case "RDMA_READ" -> land(start.read(remote, rkey), segments);
      case "ATOMIC_CMP_AND_SWP" -> {
        long compare = Vectors.number(request.get("compare_add"));
        long swap = Vectors.number(request.get("swap"));
        yield isChecked(segments, api)
            ? start
                .compareAndSwap(remote, rkey, compare, swap)
                .scatter(address(segments.getFirst()), lkey(segments.getFirst()))
            : scatter(start.compareAndSwap(remote, rkey, compare, swap), segments);
      }
      case "ATOMIC_FETCH_AND_ADD" ->
          start
              .fetchAndAdd(remote, rkey, Vectors.number(request.get("compare_add")))
              .scatter(address(segments.getFirst()), lkey(segments.getFirst()));
      default -> throw new AssertionError(opcode);
    };
  }

  /** ibv_post_send makes the landing segment of an atomic 8 bytes long, whatever it is given. */
  private static boolean isChecked(List<JsonNode> segments, String api) {
    return segments.size() == 1
        && (api.equals("ibv_post_send") || segments.getFirst().get("length").asInt() == 8);
  }

  private static RequestModifiers data(
      RequestData start, List<JsonNode> segments, InlineSource source) {
    RequestData stage = start;
    for (JsonNode segment : segments) {
      if (segment.has("inline_data")) {
        stage = inline(stage, Vectors.bytes(segment.get("inline_data")), source);
      } else {
        stage = stage.gather(address(segment), segment.get("length").asInt(), lkey(segment));
      }
    }
    return stage;
  }

  private static RequestData inline(RequestData stage, byte[] data, InlineSource source) {
    return switch (source) {
      case ARRAY -> stage.inline(data, 0, data.length);
      case HEAP_SEGMENT -> stage.inline(MemorySegment.ofArray(data), 0, data.length);
      case NATIVE_SEGMENT -> {
        TestMemory memory = new TestMemory(data.length + 1);
        memory.write(1, data);
        yield stage.inline(memory.segment(), 1, data.length);
      }
    };
  }

  private static RequestModifiers land(RequestLanding start, List<JsonNode> segments) {
    return segments.isEmpty() ? start.nowhere() : scatter(start.scatter(0, 0, 0), segments);
  }

  private static RequestModifiers scatter(RequestScatter start, List<JsonNode> segments) {
    RequestScatter stage = start;
    for (JsonNode segment : segments) {
      stage = stage.scatter(address(segment), segment.get("length").asInt(), lkey(segment));
    }
    return stage;
  }

  private static long address(JsonNode segment) {
    return Vectors.number(segment.get("addr"));
  }

  private static int lkey(JsonNode segment) {
    return Vectors.integer(segment.get("lkey"));
  }

  private static void assertThatRingHolds(JsonNode wqebbs, TestMemory ring) {
    byte[] rest = ring.bytes();
    for (JsonNode wqebb : wqebbs) {
      int at = wqebb.get("slot").asInt() * WQEBB;
      assertEqualUnderMask(wqebb, ring.bytes(at, WQEBB), "WQEBB " + wqebb.get("index").asInt());
      Arrays.fill(rest, at, at + WQEBB, TestMemory.POISON);
    }
    assertThat(rest).as("other WQEBBs").containsOnly(TestMemory.POISON);
  }

  private static void assertThatRegisterHolds(JsonNode writes, TestMemory register) {
    byte[] rest = register.bytes();
    for (JsonNode write : writes) {
      int at = write.get("offset_from_bf_reg").asInt();
      int length = write.get("bytes").asText().length() / 2;
      assertEqualUnderMask(write, register.bytes(at, length), "register at " + at);
      Arrays.fill(rest, at, at + length, TestMemory.POISON);
    }
    assertThat(rest).as("rest of the register").containsOnly(TestMemory.POISON);
  }

  private static void assertEqualUnderMask(JsonNode expected, byte[] actual, String what) {
    byte[] mask = Vectors.bytes(expected.get("mask"));
    byte[] masked = actual.clone();
    byte[] wanted = Vectors.bytes(expected.get("bytes"));
    for (int i = 0; i < mask.length; i++) {
      masked[i] &= mask[i];
      wanted[i] &= mask[i];
    }
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(masked)).as(what).isEqualTo(hex.formatHex(wanted));
  }
}
