package dev.bluebell.cli.vectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.cli.WorkFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of golden vectors.
 *
 * @param group name of the group, which says what the vectors are
 * @param vectors their JSON
 */
record VectorFile(String group, List<JsonNode> vectors) {

  /** Reads a file. */
  static VectorFile read(Path path) {
    JsonNode root = parse(path);
    if (!root.path("group").isTextual() || !root.path("vectors").isArray()) {
      throw new WorkFailed(
          "%s holds no golden vectors: it has no 'group' with 'vectors'".formatted(path));
    }
    return new VectorFile(root.path("group").asText(), root.path("vectors").valueStream().toList());
  }

  private static JsonNode parse(Path path) {
    try {
      return new ObjectMapper().readTree(Files.readAllBytes(path));
    } catch (JsonProcessingException e) {
      throw new WorkFailed("%s is not JSON: %s".formatted(path, e.getOriginalMessage()));
    } catch (IOException e) {
      throw new WorkFailed("%s can't be read: name a file that exists".formatted(path));
    }
  }
}
