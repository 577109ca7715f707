package dev.bluebell.cli.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.command.Field;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * WAIT and SEND_EN, put together by the table of forms from the values of their fields. The driver
 * posts neither.
 */
final class WaitCheck implements VectorCheck {
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

  private static byte[] build(JsonNode wqe) {
    int opcode = Numbers.integer(wqe, "opcode_value");
    int opmod = Numbers.integer(wqe, "opmod");
    WqeForm form = WqeForm.of(ServiceType.RAW, opcode, opmod);
    if (form == null) {
      throw new UnsupportedVector("opcode 0x%x with opmod %d".formatted(opcode, opmod));
    }
    byte[] bytes = new byte[ControlSegment.WQEBB_BYTES];
    set(bytes, 0, ControlSegment.OPCODE, wqe, "opcode_value");
    set(bytes, 0, ControlSegment.OPMOD, wqe, "opmod");
    set(bytes, 0, ControlSegment.INDEX, wqe, "wqe_index");
    set(bytes, 0, ControlSegment.QPN, wqe, "qpn");
    set(bytes, 0, ControlSegment.FM_CE_SE, wqe, "fm_ce_se");
    ControlSegment.DS.set(bytes, 0, form.fixedBytes() / ControlSegment.BYTES);
    int value = form.offset(WqeSegment.WAIT_VALUE);
    if (value >= 0) {
      set(bytes, value, WaitValueSegment.OPERATION, wqe, "operation");
      set(bytes, value, WaitValueSegment.LKEY, wqe, "lkey");
      set(bytes, value, WaitValueSegment.ADDRESS, wqe, "va");
      set(bytes, value, WaitValueSegment.VALUE, wqe, "value");
      set(bytes, value, WaitValueSegment.MASK, wqe, "mask");
      return bytes;
    }
    int queue = Math.max(form.offset(WqeSegment.WAIT), form.offset(WqeSegment.ENABLE));
    set(bytes, queue, QueueSegment.MAX_INDEX, wqe, "max_index");
    set(bytes, queue, QueueSegment.QPN, wqe, "qpn_cqn");
    return bytes;
  }

  private static void set(byte[] bytes, int base, Field field, JsonNode wqe, String member) {
    field.set(bytes, base, Numbers.number(wqe, member));
  }
}
