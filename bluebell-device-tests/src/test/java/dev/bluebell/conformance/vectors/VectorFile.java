package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of golden vectors.
 *
 * @param group name of the group, which is the kind of the vectors
 * @param vectors their JSON
 */
record VectorFile(String group, List<JsonNode> vectors) {

  /**
   * Reads a file, or the golden vector files of a folder.
   *
   * @throws IllegalArgumentException when there are none
   */
  static List<VectorFile> read(Path path) {
    List<VectorFile> read =
        files(path).stream()
            .map(VectorFile::parse)
            .filter(VectorFile::isOne)
            .map(VectorFile::of)
            .toList();
    if (read.isEmpty()) {
      throw new IllegalArgumentException(
          "%s holds no golden vectors: it has no 'group' with 'vectors'".formatted(path));
    }
    return read;
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> inside = Files.list(path)) {
      return inside.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s can't be read: name a folder that may be read".formatted(path));
    }
  }

  private static boolean isOne(JsonNode root) {
    return root.path("group").isTextual() && root.path("vectors").isArray();
  }

  private static VectorFile of(JsonNode root) {
    return new VectorFile(root.path("group").asText(), root.path("vectors").valueStream().toList());
  }

  private static JsonNode parse(Path path) {
    try {
      return new ObjectMapper().readTree(Files.readAllBytes(path));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s is not JSON: %s".formatted(path, e.getOriginalMessage()));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s can't be read: name a file that exists".formatted(path));
    }
  }
}
