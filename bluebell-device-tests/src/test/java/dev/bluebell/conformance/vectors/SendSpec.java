package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A send request in the verbs' terms.
 *
 * @param opcode one of {@code ibv_wr_opcode} without its prefix
 * @param immediate the immediate in wire order, or the key to invalidate
 * @param compareAdd compare value or addend of an atomic
 * @param request the whole request, for fields that only some services have
 */
record SendSpec(
    String opcode,
    long id,
    Set<String> flags,
    long remoteAddress,
    int rkey,
    int immediate,
    long compareAdd,
    long swap,
    List<Entry> entries,
    JsonNode request) {
  private static final Set<String> FLAGS = Set.of("SIGNALED", "SOLICITED", "FENCE", "INLINE");

  /**
   * A gather or scatter entry.
   *
   * @param inline inline data; empty for memory
   */
  record Entry(long address, int length, int lkey, byte[] inline) {

    static Entry of(JsonNode node) {
      return node.has("inline_data")
          ? new Entry(0, 0, 0, Numbers.bytes(node, "inline_data"))
          : new Entry(
              Numbers.number(node, "addr"),
              Numbers.integer(node, "length"),
              Numbers.integer(node, "lkey"),
              new byte[0]);
    }
  }

  static SendSpec of(JsonNode request) {
    if (request.path("call").asText().equals("ibv_wr_send after UMR")) {
      return of(KeySpec.sendBehind());
    }
    if (request.has("call")) {
      throw new UnsupportedVector("call " + request.get("call").asText());
    }
    return new SendSpec(
        Numbers.member(request, "opcode").asText(),
        Numbers.number(request, "wr_id"),
        flags(request),
        optional(request, "remote_addr"),
        (int) optional(request, "rkey"),
        (int) (optional(request, "imm_be32") | optional(request, "invalidate_rkey")),
        optional(request, "compare_add"),
        optional(request, "swap"),
        Numbers.member(request, "sge").valueStream().map(Entry::of).toList(),
        request);
  }

  private static Set<String> flags(JsonNode request) {
    Set<String> flags =
        Numbers.member(request, "send_flags")
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.toSet());
    for (String flag : flags) {
      if (!FLAGS.contains(flag)) {
        throw new UnsupportedVector("send flag " + flag);
      }
    }
    return flags;
  }

  private static long optional(JsonNode request, String name) {
    return request.has(name) ? Numbers.number(request, name) : 0;
  }

  boolean isFlagged(String flag) {
    return flags.contains(flag);
  }
}
