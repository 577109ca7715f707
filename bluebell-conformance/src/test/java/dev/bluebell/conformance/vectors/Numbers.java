package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;

/** Values in vectors: numbers are JSON numbers or {@code "0x…"} strings, bytes are hexadecimal. */
final class Numbers {
  private Numbers() {}

  /** A member that must be there. */
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
}
