package dev.bluebell.conformance.vectors;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of comparing the vectors of a file.
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

  /** True when no vector differs, and the driver could build and read all of them. */
  boolean isEqual() {
    return vectors.stream().allMatch(VectorResult::isEqual);
  }

  /** One sentence for each difference, and for each vector that the driver can't build or read. */
  List<String> complaints() {
    return vectors.stream()
        .flatMap(
            vector ->
                Stream.concat(
                    vector.differences().stream().map(what -> vector.name() + ": " + what),
                    vector.unsupported().stream()
                        .map(what -> vector.name() + ": the driver has no " + what)))
        .toList();
  }

  @Override
  public String toString() {
    long equal = vectors.stream().filter(VectorResult::isEqual).count();
    long unsupported = vectors.stream().filter(each -> each.unsupported().isPresent()).count();
    return "%-24s %d equal, %d differ, %d unsupported"
        .formatted(group, equal, vectors.size() - equal - unsupported, unsupported);
  }
}
