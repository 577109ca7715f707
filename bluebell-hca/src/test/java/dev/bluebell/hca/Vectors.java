package dev.bluebell.hca;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.hca.wqe.ServiceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads the golden vectors among the test resources. */
public final class Vectors {
  private static final Map<String, JsonNode> FILES = new ConcurrentHashMap<>();

  private Vectors() {}

  /** The whole file of a group. */
  public static JsonNode file(String group) {
    return FILES.computeIfAbsent(group, Vectors::read);
  }

  private static JsonNode read(String group) {
    try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + group + ".json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks every vector of a group; a failure names its vector. */
  public static void each(String group, Consumer<JsonNode> check) {
    each(group, vector -> true, check);
  }

  /** Checks the vectors of a group that a test is about, of which there must be some. */
  public static void each(String group, Predicate<JsonNode> about, Consumer<JsonNode> check) {
    int checked = 0;
    for (JsonNode vector : file(group).get("vectors")) {
      if (about.test(vector)) {
        checked++;
        try {
          check.accept(vector);
        } catch (AssertionError | RuntimeException e) {
          String name = group + "/" + vector.get("name").asText();
          throw new AssertionError(name + ": " + e.getMessage(), e);
        }
      }
    }
    if (checked == 0) {
      throw new AssertionError("no vector of " + group + " was checked");
    }
  }

  public static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  public static byte[] bytes(JsonNode hex) {
    return HexFormat.of().parseHex(hex.asText());
  }

  /** A JSON number or a string that starts with 0x. */
  public static long number(JsonNode node) {
    return node.isNumber() ? node.asLong() : Long.parseUnsignedLong(node.asText().substring(2), 16);
  }

  /** Service of the queue of a posting vector; RC by default. */
  public static ServiceType service(JsonNode vector) {
    String type = vector.path("qp").path("type").asText("RC");
    return switch (type) {
      case "XRC_SEND" -> ServiceType.XRC;
      case "DCI_STREAM" -> ServiceType.DCI;
      default -> ServiceType.valueOf(type);
    };
  }

  /** True when the application composed the entries by itself: they may hold anything. */
  public static boolean isRaw(JsonNode vector) {
    return vector.toString().contains("raw_wqe");
  }

  /**
   * The send queue entries of a posting vector, in order; the number of blocks of 64 bytes of each
   * follows from its ds.
   */
  public static List<byte[]> entries(JsonNode vector) {
    List<byte[]> entries = new ArrayList<>();
    JsonNode blocks = vector.get("wqebbs");
    for (int i = 0; i < blocks.size(); ) {
      int count = ((bytes(blocks.get(i).get("bytes"))[7] & 0x3f) + 3) / 4;
      byte[] bytes = new byte[64 * count];
      for (int k = 0; k < count; k++) {
        JsonNode block = blocks.get(i + k);
        System.arraycopy(bytes(block.get("bytes")), 0, bytes, 64 * k, 64);
      }
      entries.add(bytes);
      i += count;
    }
    return entries;
  }
}
