package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.GeneralObjectCommands;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.text.Line.Item;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compares our structures and texts with the headers, for commands that real programs sent. */
class PrmCommandsTest {
  private static final String UCX_ECE = "dct_context_entry.ece";

  /**
   * The fields by our names. UCX's header has a wider {@code cqe_comp_layout} with the same low
   * bits, and the {@code ece} of a DCT elsewhere than Linux; ours are Linux's.
   */
  private static Map<String, String> fields(JsonNode vector, String key, String prefix) {
    Map<String, String> fields = new TreeMap<>();
    vector
        .path(key)
        .properties()
        .forEach(field -> fields.put(prefix + field.getKey(), field.getValue().asText()));
    String layout = fields.remove("cqc.cqe_comp_layout");
    if (layout != null) {
      fields.put("cqc.cqe_compression_layout", layout);
    }
    fields.remove(UCX_ECE);
    return fields;
  }

  /** The dwords that no header names, and what only UCX's header names. */
  private static List<String> dwords(JsonNode vector, String key, String fieldsKey) {
    List<String> dwords = new ArrayList<>();
    Vectors.elements(vector.path(key))
        .forEach(dword -> dwords.add(dword.get(0).asText() + " " + dword.get(1).asText()));
    JsonNode ece = vector.path(fieldsKey).path(UCX_ECE);
    if (!ece.isMissingNode()) {
      dwords.add("0x50 " + ece.asText());
    }
    return dwords;
  }

  private static int opcode(JsonNode vector) {
    return (int) Vectors.number(vector.get("opcode"));
  }

  private static int opMod(JsonNode vector) {
    return (int) Vectors.number(vector.get("op_mod"));
  }

  /** The recorded output; the file leaves out zero bytes at its end. */
  private static byte[] output(JsonNode vector) {
    return Arrays.copyOf(Vectors.bytes(vector.get("out")), vector.get("out_len").asInt());
  }

  @Test
  void ourStructuresReadTheFieldsOfAnInput() {
    Vectors.each("prm_commands", PrmCommandsTest::assertOurStructuresReadTheFieldsOfAnInput);
  }

  private static void assertOurStructuresReadTheFieldsOfAnInput(JsonNode vector) {
    String name = vector.get("in_struct").asText();
    Structure structure =
        name.equals("create_dek_in")
            ? GeneralObjectCommands.CREATE_DEK_IN
            : CommandFormat.of(opcode(vector)).orElseThrow().input();
    assertThat(structure.name()).isEqualTo(name);
    byte[] input = Vectors.bytes(vector.get("in"));
    Layout layout = Layout.define("", 0).structure("", 0, structure).build();
    Map<String, String> fields = fields(vector, "in_fields", "");
    assertThat(fields).isNotEmpty();
    fields.forEach((field, value) -> assertField(layout, input, field, value));
    int behind = vector.path("in_beyond_struct").asInt(0);
    if (behind > 0) {
      assertThat(input.length - structure.bytes()).isEqualTo(behind);
    }
  }

  @Test
  void ourStructuresReadTheFieldsOfAnOutput() {
    Vectors.each("prm_commands", PrmCommandsTest::assertOurStructuresReadTheFieldsOfAnOutput);
  }

  private static void assertOurStructuresReadTheFieldsOfAnOutput(JsonNode vector) {
    Layout layout = CommandLayouts.output(opcode(vector), opMod(vector)).fixed();
    Map<String, String> fields = fields(vector, "out_fields", outputPrefix(vector));
    byte[] output = output(vector);
    fields.forEach((name, value) -> assertField(layout, output, name, value));
  }

  private static String outputPrefix(JsonNode vector) {
    return vector.path("out_struct").asText().contains("capability=") ? "capability." : "";
  }

  private static void assertField(Layout layout, byte[] bytes, String name, String value) {
    Layout.Slot slot = layout.slot(name).orElseThrow(() -> new AssertionError("no " + name));
    assertThat(bits(bytes, slot)).as(name).isEqualTo(integer(value));
  }

  private static BigInteger integer(String text) {
    return new BigInteger(text.substring(2), 16);
  }

  private static BigInteger bits(byte[] bytes, Layout.Slot slot) {
    int end = slot.to();
    BigInteger value = BigInteger.ZERO;
    for (int bit = slot.from(); bit < end; bit++) {
      boolean set = bit / 8 < bytes.length && (bytes[bit / 8] >>> (7 - bit % 8) & 1) != 0;
      value = value.shiftLeft(1).add(set ? BigInteger.ONE : BigInteger.ZERO);
    }
    return value;
  }

  @Test
  void theTextOfAnInputNamesWhatTheHeadersName() {
    Vectors.each("prm_commands", PrmCommandsTest::assertTheTextOfAnInputNamesWhatTheHeadersName);
  }

  private static void assertTheTextOfAnInputNamesWhatTheHeadersName(JsonNode vector) {
    byte[] input = Vectors.bytes(vector.get("in"));
    String text = CommandText.disassembleInput(input);
    CommandLayouts.Sizes sizes = CommandLayouts.input(opcode(vector), opMod(vector));
    Map<String, String> fields = new TreeMap<>();
    fields(vector, "in_fields", "")
        .forEach((name, value) -> fields.put(name.replaceFirst("^hdr\\.", ""), value));
    fields.keySet().removeAll(List.of("opcode", "op_mod", "obj_type"));
    assertNames(text, sizes.extended(), fields, dwords(vector, "in_unnamed_bits", "in_fields"));
    assertThat(CommandText.assemble(text)).isEqualTo(input);
    assertThat(Block.parse(text).label()).isEqualTo(ours(vector.get("command").asText()));
  }

  @Test
  void theTextOfAnOutputNamesWhatTheHeadersName() {
    Vectors.each("prm_commands", PrmCommandsTest::assertTheTextOfAnOutputNamesWhatTheHeadersName);
  }

  private static void assertTheTextOfAnOutputNamesWhatTheHeadersName(JsonNode vector) {
    byte[] output = output(vector);
    String text = CommandText.disassembleOutput(opcode(vector), opMod(vector), output);
    if (vector.has("out_fields")) {
      Layout layout = CommandLayouts.output(opcode(vector), opMod(vector)).fixed();
      Map<String, String> fields = fields(vector, "out_fields", outputPrefix(vector));
      assertNames(text, layout, fields, dwords(vector, "out_unnamed_bits", "out_fields"));
    }
    assertThat(CommandText.assemble(text)).isEqualTo(output);
  }

  private static String ours(String command) {
    return switch (command) {
      case "2ERR_QP" -> "QP_2ERR";
      case "2RST_QP" -> "QP_2RST";
      default -> command;
    };
  }

  // When two names refer to the same bits, either may be shown.
  private static void assertNames(
      String text, Layout layout, Map<String, String> expected, List<String> unnamed) {
    List<String> dwords = new ArrayList<>();
    List<Layout.Slot> shown = new ArrayList<>();
    for (Line line : Block.parse(text).lines()) {
      for (Item item : line.keyword().isEmpty() ? line.items() : List.<Item>of()) {
        if (item.name().startsWith("+")) {
          dwords.add(item.name().substring(1) + " " + item.value());
        } else if (!item.toString().equals("status=OK")) {
          shown.add(layout.slot(item.name()).orElseThrow());
        }
      }
    }
    List<Layout.Slot> wanted =
        expected.keySet().stream().map(name -> layout.slot(name).orElseThrow()).toList();
    assertThat(shown).allMatch(slot -> wanted.stream().anyMatch(other -> overlap(slot, other)));
    assertThat(wanted).allMatch(slot -> shown.stream().anyMatch(other -> overlap(slot, other)));
    assertThat(shown).hasSameSizeAs(wanted);
    assertThat(dwords).containsExactlyElementsOf(unnamed);
  }

  private static boolean overlap(Layout.Slot a, Layout.Slot b) {
    return a.from() < b.to() && b.from() < a.to();
  }
}
