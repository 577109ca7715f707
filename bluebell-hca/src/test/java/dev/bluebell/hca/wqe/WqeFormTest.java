package dev.bluebell.hca.wqe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the table of forms with the entries that libmlx5, UCX and DPDK wrote. */
class WqeFormTest {
  private static final int UNIT = ControlSegment.BYTES;

  private static List<ByteBuffer> entries(JsonNode vector) {
    return Vectors.entries(vector).stream().map(ByteBuffer::wrap).toList();
  }

  private static WqeForm form(JsonNode vector, ByteBuffer entry) {
    long first = entry.getLong(0);
    int opcode = ControlSegment.opcode(first);
    WqeForm form = WqeForm.of(Vectors.service(vector), opcode, ControlSegment.opmod(first));
    assertThat(form).as(WqeOpcode.name(opcode)).isNotNull();
    return form;
  }

  /**
   * Bytes by which a compact address vector is shorter than in the form; UCX writes it on
   * InfiniBand.
   */
  private static int saved(WqeForm form, ByteBuffer entry) {
    int at = form.offset(WqeSegment.DC_ADDRESS_VECTOR);
    boolean whole = at < 0 || entry.getLong(at + AddressVector.DESTINATION_WORD) < 0;
    return whole ? 0 : AddressVector.BYTES - AddressVector.COMPACT_BYTES;
  }

  private static int bytes(ByteBuffer entry) {
    return ControlSegment.ds(entry.getLong(0)) * UNIT;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rc_core",
        "rc_inline",
        "doorbell",
        "uc",
        "ud_eth",
        "ud_ib",
        "xrc_dc",
        "xrc_dc_ib",
        "umr",
        "mw_bind_inv",
        "masked_atomics",
        "wait_enable",
        "tm_srq_ops"
      })
  void everyEntryHasAFormThatItsUnitsFit(String group) {
    Vectors.each(
        group, vector -> !Vectors.isRaw(vector), WqeFormTest::assertEveryEntryHasAFormThatItFits);
  }

  private static void assertEveryEntryHasAFormThatItFits(JsonNode vector) {
    for (ByteBuffer entry : entries(vector)) {
      WqeForm form = form(vector, entry);
      boolean isCancelled = ControlSegment.opcode(entry.getLong(0)) == WqeOpcode.NOP;
      if (isCancelled || form.segments().getLast().isList()) {
        assertThat(bytes(entry)).isGreaterThanOrEqualTo(form.fixedBytes() - saved(form, entry));
      } else {
        assertThat(bytes(entry)).isEqualTo(form.fixedBytes());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rc_core", "uc", "ud_eth", "ud_ib", "xrc_dc", "xrc_dc_ib"})
  void theListStartsWhereTheFormSaysAndReachesToTheEnd(String group) {
    Vectors.each(group, WqeFormTest::assertTheListIsThatOfTheRequest);
  }

  private static void assertTheListIsThatOfTheRequest(JsonNode vector) {
    List<ByteBuffer> entries = entries(vector);
    for (int i = 0; i < entries.size(); i++) {
      RcRequest request = new RcRequest(vector.get("requests").get(i), vector);
      ByteBuffer entry = entries.get(i);
      int at = form(vector, entry).fixedBytes();
      if (request.isInline()) {
        int length = request.inlineData().length;
        assertThat(bytes(entry))
            .isEqualTo(at + (length == 0 ? 0 : InlineSegment.ds(length) * UNIT));
      } else {
        assertThat(pointers(entry, at)).isEqualTo(pointers(request));
      }
    }
  }

  private static List<Long> pointers(ByteBuffer entry, int from) {
    List<Long> addresses = new ArrayList<>();
    for (int at = from; at < bytes(entry); at += DataSegment.BYTES) {
      addresses.add(entry.getLong(at + Long.BYTES));
    }
    return addresses;
  }

  private static List<Long> pointers(RcRequest request) {
    return Vectors.elements(request.request().get("sge"))
        .filter(sge -> request.length(sge) > 0)
        .map(sge -> Vectors.number(sge.get("addr")))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rc_core", "uc", "xrc_dc", "xrc_dc_ib", "masked_atomics"})
  void theRemoteAddressLiesWhereTheFormSays(String group) {
    Vectors.each(
        group,
        vector -> !vector.get("wqebbs").isEmpty(),
        WqeFormTest::assertTheRemoteAddressLiesWhereTheFormSays);
  }

  private static void assertTheRemoteAddressLiesWhereTheFormSays(JsonNode vector) {
    JsonNode request = vector.get("requests").get(0);
    ByteBuffer entry = entries(vector).getFirst();
    WqeForm form = form(vector, entry);
    int at = form.offset(WqeSegment.REMOTE_ADDRESS);
    if (request.has("remote_addr")) {
      at -= saved(form, entry);
      assertThat(entry.getLong(at)).isEqualTo(Vectors.number(request.get("remote_addr")));
      assertThat(RemoteAddressSegment.rkey(entry.getLong(at + 8)))
          .isEqualTo((int) Vectors.number(request.get("rkey")));
    } else {
      assertThat(at).isEqualTo(-1);
    }
  }

  @Test
  void theResultOfAMaskedAtomicFollowsItsOperands() {
    Vectors.each("masked_atomics", WqeFormTest::assertTheResultFollowsTheOperands);
  }

  private static void assertTheResultFollowsTheOperands(JsonNode vector) {
    ByteBuffer entry = entries(vector).getFirst();
    WqeForm form = form(vector, entry);
    JsonNode result = vector.get("requests").get(0).get("sge").get(0);
    assertThat(form.isAnswered()).isTrue();
    int at = form.fixedBytes() - saved(form, entry);
    assertThat(bytes(entry)).isEqualTo(at + DataSegment.BYTES);
    assertThat(entry.getLong(at + 8)).isEqualTo(Vectors.number(result.get("addr")));
  }

  @ParameterizedTest
  @EnumSource
  void everyFormStartsWithTheControlSegmentAndHasNoMoreThanOneList(ServiceType service) {
    for (int opcode = 0; opcode < 256; opcode++) {
      for (int opmod = 0; opmod < 256; opmod++) {
        WqeForm form = WqeForm.of(service, opcode, opmod);
        if (form != null) {
          List<WqeSegment> segments = form.segments();
          assertThat(segments.getFirst()).isEqualTo(WqeSegment.CONTROL);
          assertThat(segments.subList(0, segments.size() - 1)).noneMatch(WqeSegment::isList);
          assertThat(form.fixedBytes() % UNIT).isZero();
          assertThat(opmod == 0 || WqeForm.takesOpmod(opcode)).isTrue();
        }
      }
    }
  }

  @Test
  void aServiceLacksWhatItsQueuesCannotSend() {
    assertThat(WqeForm.of(ServiceType.UD, WqeOpcode.RDMA_READ, 0)).isNull();
    assertThat(WqeForm.of(ServiceType.UC, WqeOpcode.ATOMIC_FA, 0)).isNull();
    assertThat(WqeForm.of(ServiceType.RC, WqeOpcode.TSO, 0)).isNull();
    assertThat(WqeForm.of(ServiceType.RC, WqeOpcode.SEND, 1)).isNull();
    assertThat(WqeForm.of(ServiceType.RC, 0x55, 0)).isNull();
  }

  @Test
  void opmodsHaveAMeaningWhereTheFormDependsOnThem() {
    assertThat(WqeForm.takesOpmod(WqeOpcode.ATOMIC_MASKED_CS)).isTrue();
    assertThat(WqeForm.takesOpmod(WqeOpcode.WAIT)).isTrue();
    assertThat(WqeForm.takesOpmod(WqeOpcode.ACCESS_ASO)).isTrue();
    assertThat(WqeForm.takesOpmod(WqeOpcode.SEND)).isFalse();
  }
}
