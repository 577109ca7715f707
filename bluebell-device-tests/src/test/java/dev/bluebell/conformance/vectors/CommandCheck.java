package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.text.CommandText;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Inputs of commands, built from the names and values of their fields. */
final class CommandCheck implements VectorCheck {
  /** Fields in the header of the text. */
  private static final Set<String> IN_HEAD =
      Set.of("opcode", "op_mod", "hdr.opcode", "hdr.obj_type");

  /**
   * Fields at a different place in UCX's header than in Linux's, on which ours is based, by their
   * names there: {@code ib_mlx5_ifc.h: uct_ib_mlx5_cqc_bits, uct_ib_mlx5_dctc_bits}. The lowest bit
   * of the first is that of Linux's {@code cqe_compression_layout}. Offsets count from the
   * command's start.
   */
  private static final Map<String, Field> UCX_FIELDS =
      Map.of(
          "cqc.cqe_comp_layout", new Field("cqe_comp_layout", 0x080 + 0x019, 7),
          "dct_context_entry.ece", new Field("ece", 0x080 + 0x200, 32));

  @Override
  public List<String> differences(JsonNode vector) {
    int opcode = (int) Numbers.number(vector, "opcode");
    if (CommandFormat.of(opcode).isEmpty()) {
      throw new UnsupportedVector("command " + CommandOpcode.name(opcode));
    }
    byte[] built = build(vector);
    byte[] recorded = Numbers.bytes(vector, "in");
    if (built.length != recorded.length) {
      return List.of("%d bytes, recorded %d".formatted(built.length, recorded.length));
    }
    // The structure is followed by a list of the client's, which the vectors don't describe.
    int described = recorded.length - vector.path("in_beyond_struct").asInt();
    byte[] mask = new byte[recorded.length];
    Arrays.fill(mask, 0, described, (byte) 0xff);
    return new MaskedBytes(recorded, mask).difference("input", built).stream().toList();
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
              if (!IN_HEAD.contains(field.getKey()) && !isOfUcx(vector, field.getKey())) {
                text.append("  %s=%s\n".formatted(field.getKey(), field.getValue().asText()));
              }
            });
    byte[] built = CommandText.assemble(text.append("}\n").toString());
    UCX_FIELDS.forEach(
        (name, field) -> {
          if (isOfUcx(vector, name)) {
            field.set(built, 0, Numbers.number(Numbers.member(vector, "in_fields"), name));
          }
        });
    return built;
  }

  /** True for a field that the command's sender has at UCX's place, or that only UCX names so. */
  private static boolean isOfUcx(JsonNode vector, String field) {
    return UCX_FIELDS.containsKey(field)
        && Numbers.member(vector, "in_fields").has(field)
        && (field.startsWith("cqc.") || isSentByUcx(vector));
  }

  private static boolean isSentByUcx(JsonNode vector) {
    return Numbers.member(vector, "who")
        .valueStream()
        .allMatch(who -> who.asText().startsWith("UCX"));
  }
}
