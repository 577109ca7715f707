package dev.bluebell.cli.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.text.CommandText;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Inputs of commands, put together from the names and values of their fields. */
final class CommandCheck implements VectorCheck {
  /** Fields that stand in the head of the text. */
  private static final Set<String> IN_HEAD = Set.of("opcode", "op_mod");

  /** Fields that recorded commands of UCX have at its own places; ours are Linux's. */
  private static final List<String> UCX_FIELDS =
      List.of("cqc.cqe_comp_layout", "dct_context_entry.ece");

  @Override
  public List<String> differences(JsonNode vector) {
    if (vector.has("in_beyond_struct")) {
      throw new UnsupportedVector("commands with a list, which the vectors don't describe");
    }
    for (String field : UCX_FIELDS) {
      if (Numbers.member(vector, "in_fields").has(field)) {
        throw new UnsupportedVector(
            "commands with the field %s, which UCX has elsewhere than Linux".formatted(field));
      }
    }
    int opcode = (int) Numbers.number(vector, "opcode");
    // A general object's structure depends on its type.
    if (CommandFormat.of(opcode).isEmpty() || opcode == CommandOpcode.CREATE_GENERAL_OBJECT) {
      throw new UnsupportedVector("command " + CommandOpcode.name(opcode));
    }
    byte[] built = build(vector);
    byte[] recorded = Numbers.bytes(vector, "in");
    if (built.length != recorded.length) {
      return List.of("%d bytes, recorded %d".formatted(built.length, recorded.length));
    }
    byte[] all = new byte[recorded.length];
    Arrays.fill(all, (byte) 0xff);
    return new MaskedBytes(recorded, all).difference("input", built).stream().toList();
  }

  private static byte[] build(JsonNode vector) {
    StringBuilder text = new StringBuilder("input ");
    text.append(Numbers.member(vector, "opcode").asText())
        .append(" op_mod=0x%x".formatted(Numbers.number(vector, "op_mod")))
        .append(" length=%d {\n".formatted(Numbers.number(vector, "in_len")));
    Numbers.member(vector, "in_fields")
        .properties()
        .forEach(
            field -> {
              if (!IN_HEAD.contains(field.getKey())) {
                text.append("  %s=%s\n".formatted(field.getKey(), field.getValue().asText()));
              }
            });
    return CommandText.assemble(text.append("}\n").toString());
  }
}
