package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values in vectors: numbers are JSON numbers or {@code "0x…"} strings, bytes are hexadecimal. */
final class Numbers {
  private Numbers() {}

  /** A mandatory member. */
  static JsonNode member(JsonNode node, String name) {
    JsonNode member = node.get(name);
    if (member == null || member.isNull()) {
      throw new IllegalArgumentException("it has no '%s'".formatted(name));
    }
    return member;
  }

  static long number(JsonNode node, String name) {
    return number(member(node, name));
  }

  static long number(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.asLong();
    }
    String text = node.asText();
    if (!text.startsWith("0x")) {
      throw new IllegalArgumentException("'%s' is no number".formatted(text));
    }
    return Long.parseUnsignedLong(text.substring(2), 16);
  }

  static int integer(JsonNode node, String name) {
    return (int) number(node, name);
  }

  static byte[] bytes(JsonNode node, String name) {
    return bytes(member(node, name));
  }

  static byte[] bytes(JsonNode node) {
    return HexFormat.of().parseHex(node.asText());
  }

  /** Adds a difference if a value is not the recorded one. */
  static void compare(String what, long seen, long recorded, List<String> differences) {
    compare(what, (Object) seen, recorded, differences);
  }

  /** Adds a difference if a value is not the recorded one, which must have the same type. */
  static void compare(
      String what, Object seen, @Nullable Object recorded, List<String> differences) {
    if (!seen.equals(recorded)) {
      differences.add("%s %s, recorded %s".formatted(what, show(seen), show(recorded)));
    }
  }

  private static String show(@Nullable Object value) {
    return value instanceof Number number
        ? "0x%x".formatted(number.longValue())
        : String.valueOf(value);
  }
}
