package dev.bluebell.verbs.ring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;

/** Reads files of golden vectors. Numbers in them are JSON numbers or "0x…" strings. */
final class Vectors {
  private Vectors() {}

  static List<JsonNode> load(String group) {
    try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + group + ".json")) {
      return List.copyOf(new ObjectMapper().readTree(in).get("vectors").valueStream().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long number(JsonNode node) {
    return node.isTextual()
        ? Long.parseUnsignedLong(node.asText().substring(2), 16)
        : node.asLong();
  }

  static int integer(JsonNode node) {
    return (int) number(node);
  }

  static byte[] bytes(JsonNode node) {
    return HexFormat.of().parseHex(node.asText());
  }
}
