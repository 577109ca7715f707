package dev.bluebell.cli.vectors;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Results as text: differences, a line for each file, and the total. */
final class TextVectorReport implements VectorReport {
  private final PrintWriter out;
  private final boolean verbose;
  private final List<FileResult> results = new ArrayList<>();

  TextVectorReport(PrintWriter out, boolean verbose) {
    this.out = out;
    this.verbose = verbose;
  }

  @Override
  public void add(FileResult result) {
    results.add(result);
    for (VectorResult vector : result.vectors()) {
      for (String difference : vector.differences()) {
        out.println("%s %s: %s".formatted(result.group(), vector.name(), difference));
      }
    }
    out.println("%-24s %s".formatted(result.group(), counts(List.of(result))));
    if (verbose) {
      result
          .vectors()
          .forEach(
              vector ->
                  vector
                      .unsupported()
                      .ifPresent(what -> out.println("  %s: %s".formatted(vector.name(), what))));
    } else {
      result
          .unsupportedByName()
          .forEach((what, count) -> out.println("  %d unsupported: %s".formatted(count, what)));
    }
    out.flush();
  }

  @Override
  public void end() {
    out.println(counts(results));
    out.flush();
  }

  private static String counts(List<FileResult> results) {
    return "%d equal, %d differ, %d unsupported"
        .formatted(
            results.stream().mapToLong(FileResult::equal).sum(),
            results.stream().mapToLong(FileResult::differing).sum(),
            results.stream().mapToLong(FileResult::unsupported).sum());
  }
}
