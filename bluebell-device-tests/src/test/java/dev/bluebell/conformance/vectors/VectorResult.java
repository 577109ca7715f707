package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * The result of comparing one vector.
 *
 * @param name of the vector
 * @param differences one sentence each
 * @param unsupported the entry that the driver can't build or read; empty when it was compared
 */
record VectorResult(String name, List<String> differences, Optional<String> unsupported) {

  static VectorResult of(VectorCheck check, JsonNode vector) {
    String name = vector.path("name").asText("without name");
    try {
      return new VectorResult(name, check.differences(vector), Optional.empty());
    } catch (UnsupportedVector e) {
      return new VectorResult(name, List.of(), Optional.of(e.what()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "vector %s makes no sense: %s".formatted(name, e.getMessage()));
    }
  }

  boolean isEqual() {
    return differences.isEmpty() && unsupported.isEmpty();
  }
}
