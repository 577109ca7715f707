package dev.bluebell.lab.litmus;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A litmus test, the results that the model allows, and the results of the device.
 *
 * @param relaxed whether the tests' memory has relaxed ordering
 * @param allowed results that the model allows
 * @param expected results that the device can have, given all of its strengths
 * @param seen results of the device, extended by each run
 * @param runs number of runs
 */
record Row(
    Litmus litmus,
    boolean relaxed,
    SortedSet<String> allowed,
    SortedSet<String> expected,
    SortedSet<String> seen,
    int runs) {
  private static final int ROUNDS = 10;

  private static Row of(Litmus litmus, boolean relaxed) {
    return new Row(
        litmus,
        relaxed,
        Model.results(litmus, Set.of(), relaxed),
        Model.results(litmus, EnumSet.allOf(Strength.class), relaxed),
        new TreeSet<>(),
        0);
  }

  /**
   * Runs tests with several seeds, ten times with each: all tests with the first seeds, and then
   * the tests that have not had all expected results.
   *
   * @param first the first seed
   * @param least minimum number of seeds for each test
   * @param most maximum number of seeds
   */
  static List<Row> of(List<Litmus> tests, boolean relaxed, long first, int least, int most) {
    Row[] rows = tests.stream().map(each -> of(each, relaxed)).toArray(Row[]::new);
    for (int i = 0; i < most; i++) {
      boolean all = i < least;
      if (!all && Arrays.stream(rows).noneMatch(Row::isOpen)) {
        break;
      }
      try (DeviceRun run = new DeviceRun(first + i, relaxed)) {
        for (int at = 0; at < rows.length; at++) {
          rows[at] = all || rows[at].isOpen() ? rows[at].run(run) : rows[at];
        }
      }
    }
    return List.of(rows);
  }

  /** This row, with only the seen results as expected ones. */
  Row ofSeen() {
    SortedSet<String> possible = new TreeSet<>(expected);
    possible.retainAll(seen);
    return new Row(litmus, relaxed, allowed, possible, seen, runs);
  }

  private Row run(DeviceRun run) {
    for (int i = 0; i < ROUNDS; i++) {
      seen.add(run.run(litmus));
    }
    return new Row(litmus, relaxed, allowed, expected, seen, runs + ROUNDS);
  }

  private boolean isOpen() {
    return !seen.containsAll(expected);
  }

  /** Sentences about unexpected results, missing results, and verdicts that differ. */
  List<String> mistakes() {
    return Stream.of(
            seen.stream()
                .filter(result -> !allowed.contains(result))
                .map("the device showed %s, which the model forbids"::formatted),
            seen.stream()
                .filter(result -> allowed.contains(result) && !expected.contains(result))
                .map("the device showed %s, which its own rules forbid"::formatted),
            expected.stream()
                .filter(result -> !seen.contains(result))
                .map("the device never showed %s"::formatted),
            // Verdicts apply to memory that keeps its order.
            litmus.allowed().stream()
                .filter(part -> !relaxed && !has(part))
                .map("the model does not allow %s"::formatted),
            litmus.forbidden().stream()
                .filter(part -> !relaxed && has(part))
                .map("the model does not forbid %s"::formatted))
        .flatMap(each -> each)
        .map(each -> "%s (%s, %d runs): %s".formatted(litmus.name(), litmus, runs, each))
        .toList();
  }

  private boolean has(String part) {
    return allowed.stream().anyMatch(result -> Litmus.has(result, part));
  }

  /** The strengths that prevent results that the model allows. */
  List<Strength> reasons() {
    return Arrays.stream(Strength.values())
        .filter(
            each ->
                !Model.results(litmus, EnumSet.of(each), relaxed).containsAll(missing().toList()))
        .toList();
  }

  private Stream<String> missing() {
    return allowed.stream().filter(result -> !expected.contains(result));
  }

  /** Head of the tables that {@link #line} makes. */
  static final String HEAD =
      """
      | test | actions | model | allowed | shown | forbidden, but shown | not shown, and why |
      |---|---|---|---|---|---|---|
      """;

  /** The row of a Markdown table. */
  String line() {
    String verdicts =
        Stream.concat(
                litmus.allowed().stream().map("allows `%s`"::formatted),
                litmus.forbidden().stream().map("forbids `%s`"::formatted))
            .collect(Collectors.joining(", "));
    String missing = missing().map("`%s`"::formatted).collect(Collectors.joining(", "));
    String why =
        missing.isEmpty()
            ? ""
            : missing
                + ": "
                + reasons().stream().map(Strength::row).collect(Collectors.joining(", "));
    return "| %s | `%s` | %s | %d | %d | %d | %s |%n"
        .formatted(
            litmus.name(),
            litmus,
            relaxed ? "allows " + extra() : verdicts,
            allowed.size(),
            seen.stream().filter(allowed::contains).count(),
            seen.stream().filter(result -> !allowed.contains(result)).count(),
            why);
  }

  /** Results that relaxed ordering adds. */
  private String extra() {
    SortedSet<String> ordered = Model.results(litmus, Set.of(), false);
    return allowed.stream()
        .filter(result -> !ordered.contains(result))
        .map("`%s`"::formatted)
        .collect(Collectors.joining(", "));
  }

  /** The tests in which relaxed ordering makes a difference. */
  static List<Litmus> relaxable(List<Litmus> tests) {
    return tests.stream()
        .filter(
            each ->
                !Model.results(each, Set.of(), true).equals(Model.results(each, Set.of(), false)))
        .toList();
  }
}
