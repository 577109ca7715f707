package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.verbs.RequestModifiers;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** WAIT and SEND_EN are written as DPDK writes them. */
class WaitVectorsTest {
  private static final int WQEBB = 64;

  /** The byte of the control segment with fence, completion mode and solicited event. */
  private static final int FLAGS = 11;

  private final TestMemory ring = new TestMemory(4 * WQEBB);
  private final TestMemory registers = new TestMemory(1024);

  static Stream<Arguments> vectors() {
    return Vectors.load("wait_enable").stream()
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  private SendRing ring(int qpn, int start) {
    return new SendRing(
        SendRingLayout.of(
                ring.address(), 2, qpn, registers.address(), registers.address() + 512, WQEBB)
            .startingAt(start));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void theRequestEqualsThatOfDpdk(String name, JsonNode vector) {
    JsonNode wqe = vector.get("wqe");
    int start = wqe.get("wqe_index").asInt();
    SendRing send = ring(Vectors.integer(wqe.get("qpn")), start);
    int mode = Vectors.integer(wqe.get("fm_ce_se"));
    RequestModifiers stage = start(send, wqe);
    if (mode == ControlSegment.CE_ALWAYS) {
      stage.signaled(1);
    } else {
      stage.unsignaled(1);
    }

    JsonNode wqebb = vector.get("wqebbs").get(0);
    byte[] mask = Vectors.bytes(wqebb.get("mask"));
    byte[] wanted = Vectors.bytes(wqebb.get("bytes"));
    byte[] built = ring.bytes((long) (start & 3) * WQEBB, WQEBB);
    if (mode == ControlSegment.CE_ON_FIRST_ERROR) {
      // An unsignalled request of this driver reports each error, as in libmlx5.
      wanted[FLAGS] &= ~ControlSegment.CE_MASK;
    }
    for (int i = 0; i < WQEBB; i++) {
      wanted[i] &= mask[i];
      built[i] &= mask[i];
    }
    assertThat(HexFormat.of().formatHex(built)).isEqualTo(HexFormat.of().formatHex(wanted));
  }

  private static RequestModifiers start(SendRing send, JsonNode wqe) {
    if (wqe.get("opcode").asText().equals("SEND_EN")) {
      return send.enableSends(number(wqe), index(wqe));
    }
    int opmod = wqe.get("opmod").asInt();
    return opmod == 0
        ? send.waitFor(number(wqe), index(wqe))
        : send.waitForValue(
            opmod,
            Vectors.integer(wqe.get("operation")),
            Vectors.integer(wqe.get("lkey")),
            Vectors.number(wqe.get("va")),
            Vectors.number(wqe.get("value")),
            Vectors.number(wqe.get("mask")));
  }

  private static int number(JsonNode wqe) {
    return Vectors.integer(wqe.get("qpn_cqn"));
  }

  private static int index(JsonNode wqe) {
    return Vectors.integer(wqe.get("max_index"));
  }

  @Test
  void indicesHaveAsManyBitsAsTheirQueuesCount() {
    SendRing send = ring(0x77, 0);
    send.waitFor(0x405, -1).unsignaled(1);
    send.enableSends(0xabcdef, 0x12345).unsignaled(2);
    send.enableReceives(0xabcdef, -2).fence().signaled(3);
    assertThat(ring.hex(0, 32))
        .isEqualTo("0000000f000077020000000000000000000000000000000000ffffff00000405");
    assertThat(ring.hex(WQEBB, 32))
        .isEqualTo("0000011700007702000000000000000000000000000000000000234500abcdef");
    assertThat(ring.hex(2 * WQEBB, 32))
        .isEqualTo("0000021600007702000000880000000000000000000000000000fffe00abcdef");
  }

  @Test
  void aWaitOnDataNamesItsMemory() {
    SendRing send = ring(0x77, 0);
    send.waitForValue(WqeForm.WAIT_ON_DATA, 0x11, 0x0a0b0c0d, 0x1122334455667788L, 5, -1)
        .signaled(1);
    assertThat(ring.hex(0, 48))
        .isEqualTo(
            "0100000f000077030000000800000000"
                + "000000110a0b0c0d1122334455667788"
                + "0000000000000005ffffffffffffffff");
  }
}
