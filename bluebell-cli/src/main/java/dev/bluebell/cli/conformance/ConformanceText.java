package dev.bluebell.cli.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.Progress;
import dev.bluebell.cli.output.Style;
import dev.bluebell.cli.output.Wrap;
import dev.bluebell.hca.text.Counted;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints a line for each finished test class, with its failures, and the summary. */
final class ConformanceText {
  private static final int WIDTH = 100;
  private static final String INDENT = " ".repeat(10);

  private final PrintWriter out;
  private final Progress progress;
  private final List<Case> all = new ArrayList<>();
  private final List<Case> ofClass = new ArrayList<>();

  ConformanceText(PrintWriter out, Progress progress) {
    this.out = out;
    this.progress = progress;
  }

  /** All cases so far. */
  List<Case> cases() {
    return all;
  }

  void begins(String suite, String test) {
    progress.show("%d tests done, now %s.%s".formatted(all.size(), suite, test));
  }

  void ended(Case ended) {
    all.add(ended);
    ofClass.add(ended);
  }

  void classEnded(String suite) {
    if (ofClass.isEmpty()) {
      return;
    }
    progress.show("");
    long millis = ofClass.stream().mapToLong(Case::millis).sum();
    out.println(
        "%s  %-28s %-34s %7.2f s".formatted(verdict(), suite, counts(ofClass), millis / 1000.0));
    for (Case failed : ofClass) {
      if (failed.outcome() == Outcome.FAILED) {
        out.println(Wrap.wrap(failed.test() + ": " + firstLine(failed.reason()), INDENT, WIDTH));
      }
    }
    out.flush();
    ofClass.clear();
  }

  private String verdict() {
    if (count(ofClass, Outcome.FAILED) > 0) {
      return Style.bad("FAILED ");
    }
    return count(ofClass, Outcome.PASSED) > 0 ? Style.good("ok     ") : "skipped";
  }

  private static long count(List<Case> cases, Outcome outcome) {
    return cases.stream().filter(each -> each.outcome() == outcome).count();
  }

  private static String counts(List<Case> cases) {
    List<String> parts = new ArrayList<>();
    for (Outcome outcome : Outcome.values()) {
      long count = count(cases, outcome);
      if (count > 0) {
        parts.add("%d %s".formatted(count, outcome.name().toLowerCase(Locale.ROOT)));
      }
    }
    return String.join(", ", parts);
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  /** Prints how many tests passed, failed and were skipped, and why they were skipped. */
  void summarize() {
    long millis = all.stream().mapToLong(Case::millis).sum();
    out.println();
    out.println(
        "%s in %.1f s: %s".formatted(Counted.of(all.size(), "test"), millis / 1000.0, counts(all)));
    reasons()
        .forEach(
            (reason, count) ->
                out.println(
                    "  skipped %3d: %s"
                        .formatted(count, Wrap.wrap(reason, " ".repeat(15), WIDTH).strip())));
    out.flush();
  }

  /** Reasons for skipped tests, with their number. */
  private Map<String, Integer> reasons() {
    Map<String, Integer> reasons = new LinkedHashMap<>();
    for (Case each : all) {
      if (each.outcome() == Outcome.SKIPPED) {
        Integer unused = reasons.merge(each.reason(), 1, Integer::sum);
      }
    }
    return reasons;
  }

  /** Adds the results to a report. */
  void addTo(ObjectNode report) {
    ObjectNode summary = report.putObject("summary");
    for (Outcome outcome : Outcome.values()) {
      summary.put(outcome.name(), count(all, outcome));
    }
    ObjectNode because = summary.putObject("skipped_because");
    reasons().forEach(because::put);
    all.stream().map(Case::toJson).forEach(report.putArray("tests")::add);
  }

  /** True if at least one test ran and none failed. */
  boolean isGood() {
    return count(all, Outcome.FAILED) == 0 && count(all, Outcome.PASSED) > 0;
  }
}
