package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of the send queue entries that libmlx5, UCX and DPDK wrote. */
class SendVectorsTest {
  static Stream<String> posted() {
    return Stream.of(
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
        "tm_srq_ops");
  }

  private static String text(JsonNode vector, int entry) {
    return WqeText.disassemble(Vectors.entries(vector).get(entry), Vectors.service(vector));
  }

  @ParameterizedTest
  @MethodSource("posted")
  void entriesSurvive(String group) {
    Vectors.each(group, SendVectorsTest::assertEntriesSurvive);
  }

  private static void assertEntriesSurvive(JsonNode vector) {
    for (byte[] entry : Vectors.entries(vector)) {
      String text = WqeText.disassemble(entry, Vectors.service(vector));
      assertThat(WqeText.assemble(text)).as(text).isEqualTo(entry);
      assertThat(WqeText.disassemble(WqeText.assemble(text), Vectors.service(vector)))
          .isEqualTo(text);
    }
  }

  @ParameterizedTest
  @MethodSource("posted")
  void everyBitOfAnEntryHasAName(String group) {
    Vectors.each(group, SendVectorsTest::assertEveryBitOfAnEntryHasAName);
  }

  private static void assertEveryBitOfAnEntryHasAName(JsonNode vector) {
    for (byte[] entry : Vectors.isRaw(vector) ? List.<byte[]>of() : Vectors.entries(vector)) {
      String text = WqeText.disassemble(entry, Vectors.service(vector));
      for (Line line : Block.parse(text).lines()) {
        assertThat(line.items()).as(text).noneMatch(item -> item.name().startsWith("+"));
        if (line.keyword().equals("raw") || line.keyword().equals("rest")) {
          assertThat(line.words()).as(text).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("posted")
  void entriesAreRecognized(String group) {
    Vectors.each(group, SendVectorsTest::assertEntriesAreRecognized);
  }

  private static void assertEntriesAreRecognized(JsonNode vector) {
    for (byte[] entry : Vectors.isRaw(vector) ? List.<byte[]>of() : Vectors.entries(vector)) {
      assertThat(Decoder.guess(entry)).hasValue(Decoder.Kind.WQE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ud_eth", "ud_ib", "xrc_dc", "xrc_dc_ib"})
  void theAddressIsThatOfTheRequest(String group) {
    Vectors.each(group, SendVectorsTest::assertTheAddressIsThatOfTheRequest);
  }

  private static void assertTheAddressIsThatOfTheRequest(JsonNode vector) {
    JsonNode request = vector.get("requests").get(0);
    String text = text(vector, 0);
    switch (Vectors.service(vector)) {
      case UD -> {
        Line av = Texts.line(text, "av");
        assertSame(av, "dqpn", request.get("remote_qpn"));
        assertSame(av, "qkey", request.get("remote_qkey"));
        assertPath(av, request.get("ah"));
      }
      case DCI -> {
        Line av = Texts.line(text, "dc_av");
        assertSame(av, "dctn", request.get("dctn"));
        assertSame(av, "dc_key", request.get("dc_key"));
        assertPath(av, request.get("ah"));
      }
      default -> assertSame(Texts.line(text, "xrc"), "srqn", request.get("remote_srqn"));
    }
    if (request.has("remote_addr")) {
      assertSame(Texts.line(text, "raddr"), "address", request.get("remote_addr"));
      assertSame(Texts.line(text, "raddr"), "rkey", request.get("rkey"));
    }
    if (request.has("stream_id")) {
      assertSame(Texts.line(text, "ctrl"), "stream", request.get("stream_id"));
    }
  }

  private static void assertPath(Line av, JsonNode ah) {
    boolean ethernet = ah.get("link").asText().equals("Ethernet");
    int sl = ah.get("sl").asInt();
    assertThat(Texts.number(av, "ext")).isEqualTo(1);
    assertThat(Texts.number(av, "sl")).isEqualTo(ethernet ? sl << 1 : sl);
    if (ethernet) {
      String mac = ah.get("dmac_from_kernel").asText().replace(":", "");
      assertThat(av.value("rmac")).hasValue("0x" + mac);
    } else {
      assertSame(av, "rlid", ah.get("dlid"));
      assertSame(av, "mlid", ah.get("src_path_bits"));
      assertSame(av, "grh", ah.get("is_global"));
    }
    if (ah.has("grh")) {
      assertSame(av, "tclass", ah.get("grh").get("traffic_class"));
      assertSame(av, "hop_limit", ah.get("grh").get("hop_limit"));
      assertSame(av, "src_addr_index", ah.get("grh").get("sgid_index"));
      assertSame(av, "flow_label", ah.get("grh").get("flow_label"));
    }
  }

  private static void assertSame(Line line, String name, JsonNode value) {
    assertThat(Texts.number(line, name)).as(name).isEqualTo(Vectors.number(value));
  }

  @Test
  void maskedOperandsAreThoseOfTheRequest() {
    Vectors.each("masked_atomics", SendVectorsTest::assertMaskedOperandsAreThoseOfTheRequest);
  }

  private static void assertMaskedOperandsAreThoseOfTheRequest(JsonNode vector) {
    JsonNode wqe = vector.get("wqe");
    String text = text(vector, 0);
    Line control = Texts.line(text, "ctrl");
    assertThat(control.value("opcode")).hasValue(wqe.get("opcode").asText());
    assertSame(control, "opmod", wqe.get("opmod"));
    assertSame(control, "ds", wqe.get("ds"));
    long bits = Vectors.number(vector.get("requests").get(0).get("operand_bits"));
    String keyword =
        switch (wqe.get("opcode").asText()) {
          case "ATOMIC_MASKED_CS" -> "masked_cs" + bits / 8;
          case "ATOMIC_MASKED_FA" -> "masked_fa" + bits / 8;
          default -> "atomic";
        };
    Line operands = Texts.line(text, keyword);
    for (String name :
        List.of("swap", "compare", "swap_mask", "compare_mask", "add", "field_boundary")) {
      if (wqe.has(name)) {
        assertSame(operands, name, wqe.get(name));
      }
    }
  }

  @Test
  void waitAndEnableNameTheirQueueAndIndex() {
    Vectors.each("wait_enable", SendVectorsTest::assertWaitAndEnableNameTheirQueueAndIndex);
  }

  private static void assertWaitAndEnableNameTheirQueueAndIndex(JsonNode vector) {
    JsonNode wqe = vector.get("wqe");
    String text = text(vector, 0);
    assertThat(Texts.line(text, "ctrl").value("opcode")).hasValue(wqe.get("opcode").asText());
    if (wqe.has("operation")) {
      Line value = Texts.line(text, "wait_value");
      assertSame(value, "operation", wqe.get("operation"));
      assertSame(value, "lkey", wqe.get("lkey"));
      assertSame(value, "address", wqe.get("va"));
      assertSame(value, "value", wqe.get("value"));
      assertSame(value, "mask", wqe.get("mask"));
    } else if (wqe.get("opcode").asText().equals("WAIT")) {
      assertSame(Texts.line(text, "wait"), "producer_index", wqe.get("max_index"));
      assertSame(Texts.line(text, "wait"), "cqn", wqe.get("qpn_cqn"));
    } else {
      assertSame(Texts.line(text, "enable"), "max_index", wqe.get("max_index"));
      assertSame(Texts.line(text, "enable"), "qpn", wqe.get("qpn_cqn"));
    }
  }

  @Test
  void aBindNamesTheWindowAndItsRange() {
    Vectors.each(
        "mw_bind_inv",
        vector -> vector.get("requests").get(0).has("bind"),
        SendVectorsTest::assertABindNamesTheWindowAndItsRange);
  }

  private static void assertABindNamesTheWindowAndItsRange(JsonNode vector) {
    JsonNode request = vector.get("requests").get(0);
    String text = text(vector, 0);
    assertSame(Texts.line(text, "ctrl"), "umr_mkey", request.get("mw_rkey_before"));
    Line key = Texts.line(text, "mkc");
    if (Vectors.number(request.get("bind").get("length")) == 0) {
      assertThat(Texts.number(key, "free")).isEqualTo(1);
      assertThat(Texts.lines(text, "klm")).isEmpty();
      return;
    }
    assertThat(Texts.number(key, "mkey_7_0"))
        .isEqualTo(Vectors.number(request.get("bind_rkey_new")) & 0xff);
    assertSame(key, "len", request.get("bind").get("length"));
    String access = request.get("bind").get("access").toString();
    long start = Vectors.number(request.get("bind").get("addr"));
    assertThat(Texts.number(key, "start_addr")).isEqualTo(access.contains("ZERO") ? 0 : start);
    assertThat(Texts.number(key, "rw") != 0).isEqualTo(access.contains("REMOTE_WRITE"));
    assertThat(Texts.number(key, "rr") != 0).isEqualTo(access.contains("REMOTE_READ"));
    assertSame(Texts.line(text, "klm"), "byte_count", request.get("bind").get("length"));
    assertSame(Texts.line(text, "klm"), "mkey", request.get("bind").get("mr_lkey"));
    assertSame(Texts.line(text, "klm"), "address", request.get("bind").get("addr"));
  }

  @Test
  void anInterleavedKeyNamesItsEntries() {
    Vectors.each(
        "umr",
        vector ->
            vector.get("requests").get(0).path("call").asText().equals("mlx5dv_wr_mr_interleaved"),
        SendVectorsTest::assertAnInterleavedKeyNamesItsEntries);
  }

  private static void assertAnInterleavedKeyNamesItsEntries(JsonNode vector) {
    JsonNode request = vector.get("requests").get(0);
    String text = text(vector, 0);
    assertSame(Texts.line(text, "repeat"), "repeat_count", request.get("repeat_count"));
    List<Line> entries = Texts.lines(text, "repeat_ent");
    assertThat(entries).hasSize(request.get("entries").size());
    for (int i = 0; i < entries.size(); i++) {
      JsonNode expected = request.get("entries").get(i);
      assertSame(entries.get(i), "mkey", expected.get("lkey"));
      assertSame(entries.get(i), "address", expected.get("addr"));
      assertSame(entries.get(i), "byte_count", expected.get("bytes_count"));
    }
  }
}
