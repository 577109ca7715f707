package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import java.util.ArrayList;
import java.util.List;

/** WAIT and SEND_EN as DPDK posts them. WQEBBs only. */
final class WaitCheck implements VectorCheck {
  private static final int WQEBB = ControlSegment.WQEBB_BYTES;

  @Override
  public List<String> differences(JsonNode vector) {
    JsonNode wqe = Numbers.member(vector, "wqe");
    byte[] built = build(wqe);
    List<String> differences = new ArrayList<>();
    for (JsonNode wqebb : Numbers.member(vector, "wqebbs")) {
      MaskedBytes.of(wqebb).difference("WQEBB", built).ifPresent(differences::add);
    }
    return differences;
  }

  /** The only WQEBB that the driver writes. */
  private static byte[] build(JsonNode wqe) {
    Scratch ring = Scratch.memory(WQEBB);
    Scratch record = Scratch.memory(WQEBB);
    Scratch register = Scratch.register(Uar.BLUEFLAME_REGISTER_BYTES);
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                    ring.address(),
                    0,
                    Numbers.integer(wqe, "qpn"),
                    record.address(),
                    register.address(),
                    WQEBB)
                .startingAt(Numbers.integer(wqe, "wqe_index")));
    start(send, wqe).signaled(0);
    byte[] built = ring.bytes(0, WQEBB);
    // The driver has no stage for a completion on the first error only, which DPDK requests.
    ControlSegment.FM_CE_SE.set(built, 0, Numbers.number(wqe, "fm_ce_se"));
    return built;
  }

  private static RequestModifiers start(SendRing send, JsonNode wqe) {
    int opcode = Numbers.integer(wqe, "opcode_value");
    int opmod = Numbers.integer(wqe, "opmod");
    return switch (opcode) {
      case WqeOpcode.SEND_EN -> send.enableSends(number(wqe), index(wqe));
      case WqeOpcode.WAIT ->
          switch (opmod) {
            case 0 -> send.waitFor(number(wqe), index(wqe));
            case WqeForm.WAIT_ON_DATA, WqeForm.WAIT_ON_TIME ->
                send.waitForValue(
                    opmod,
                    Numbers.integer(wqe, "operation"),
                    Numbers.integer(wqe, "lkey"),
                    Numbers.number(wqe, "va"),
                    Numbers.number(wqe, "value"),
                    Numbers.number(wqe, "mask"));
            default -> throw unsupported(opcode, opmod);
          };
      default -> throw unsupported(opcode, opmod);
    };
  }

  private static UnsupportedVector unsupported(int opcode, int opmod) {
    return new UnsupportedVector("opcode 0x%x with opmod %d".formatted(opcode, opmod));
  }

  private static int number(JsonNode wqe) {
    return Numbers.integer(wqe, "qpn_cqn");
  }

  private static int index(JsonNode wqe) {
    return Numbers.integer(wqe, "max_index");
  }
}
