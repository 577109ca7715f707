package dev.bluebell.cli.vectors;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How the vectors of a file compared.
 *
 * @param group of the file
 */
record FileResult(String group, List<VectorResult> vectors) {

  static FileResult of(VectorFile file) {
    VectorCheck check = VectorCheck.of(file.group());
    return new FileResult(
        file.group(),
        file.vectors().stream().map(vector -> VectorResult.of(check, vector)).toList());
  }

  long equal() {
    return vectors.stream().filter(VectorResult::isEqual).count();
  }

  long differing() {
    return vectors.stream().filter(vector -> !vector.differences().isEmpty()).count();
  }

  long unsupported() {
    return vectors.stream().filter(vector -> vector.unsupported().isPresent()).count();
  }

  /** What the driver can't build or read, and how often it was asked to. */
  Map<String, Long> unsupportedByName() {
    return vectors.stream()
        .flatMap(vector -> vector.unsupported().stream())
        .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
  }
}
