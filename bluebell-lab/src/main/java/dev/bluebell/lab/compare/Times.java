package dev.bluebell.lab.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Units;
import dev.bluebell.cli.program.PlanOption;
import dev.bluebell.lab.compare.Comparison.Way;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.verbs.Device;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Durations of a service's calls, in each of several ways; reports the median. */
final class Times {
  private static final Map<Way, String> NAMES =
      Map.of(Way.PROGRAM, "program", Way.ONE_SIDED, "oneSided", Way.TWO_SIDED, "twoSided");
  private static final Map<Way, String> WORDS =
      Map.of(
          Way.PROGRAM,
          "by the program",
          Way.ONE_SIDED,
          "by the client's own requests (one-sided)",
          Way.TWO_SIDED,
          "by a thread of the host (two-sided)");

  private final String key;
  private final String title;
  private final String remark;
  private final Map<Way, List<Long>> nanos = new EnumMap<>(Way.class);

  private Times(String key, String title, String remark, Set<Way> ways) {
    this.key = key;
    this.title = title;
    this.remark = remark;
    ways.forEach(way -> nanos.put(way, new ArrayList<>()));
  }

  /** Measures on the software device, embedded in this process. */
  static Times real(
      Offload offload, PlanOption option, SoftNicOptions options, long seed, int calls) {
    Times times =
        new Times(
            "realTime",
            "Real time",
            "These are times of the software device on this machine, and say nothing about cards.",
            Set.of(Way.values()));
    try (Device device = Device.over(SoftNic.open(options));
        Comparison comparison = new Comparison(device, false)) {
      times.run(comparison, offload, option, seed, calls);
      times.forget();
      times.run(comparison, offload, option, seed, calls);
    }
    return times;
  }

  /** Measures a write to several replicas on the same device. */
  static Times ofChain(PlanOption option, SoftNicOptions options, long seed, int calls) {
    Times times =
        new Times(
            "chainRealTime",
            "Real time of a write to %d replicas".formatted(ChainComparison.replicas()),
            "One thread is the processor of all replicas.",
            Set.of(Way.values()));
    try (Device device = Device.over(SoftNic.open(options));
        ChainComparison chain =
            new ChainComparison(device, false, option.target(), option.model())) {
      times.run(chain, seed, calls);
      times.forget();
      times.run(chain, seed, calls);
    }
    return times;
  }

  private void run(ChainComparison chain, long seed, int calls) {
    for (int i = 0; i < calls; i++) {
      long number = seed + i;
      nanos.forEach((way, list) -> list.add(chain.call(way, number).nanos()));
    }
  }

  /** Predicts durations on a card, by virtual time; a thread of the host costs nothing there. */
  static Times predicted(
      Offload offload, PlanOption option, SoftNicOptions options, long seed, int calls) {
    Times times =
        new Times(
            "virtualTime",
            "Virtual time of a ConnectX-5",
            "These times are predicted from the latencies of single verbs, not measured.",
            Set.of(Way.PROGRAM, Way.ONE_SIDED));
    try (Device device = Device.over(SoftNic.open(options.withTiming(Timing.CONNECTX5)));
        Comparison comparison = new Comparison(device, true)) {
      times.run(comparison, offload, option, seed, calls);
    }
    return times;
  }

  private void run(
      Comparison comparison, Offload offload, PlanOption option, long seed, int calls) {
    for (int i = 0; i < calls; i++) {
      Example example = offload.example(seed + i);
      if (example.answers().apply(Map.of()).isEmpty()) {
        // A call without an answer measures nothing.
        continue;
      }
      Plan plan = option.compile(example.program());
      nanos.forEach((way, list) -> list.add(comparison.call(way, example, plan).nanos()));
    }
  }

  /** Forgets the first calls, which ran before the code was compiled. */
  private void forget() {
    nanos.values().forEach(List::clear);
  }

  private int answered() {
    return Objects.requireNonNull(nanos.get(Way.PROGRAM)).size();
  }

  private long median(Way way) {
    List<Long> sorted = Objects.requireNonNull(nanos.get(way)).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private double ratio(Way way) {
    return (double) median(way) / median(Way.PROGRAM);
  }

  /** Name in JSON. */
  String key() {
    return key;
  }

  /** Medians in nanoseconds. */
  ObjectNode json() {
    ObjectNode object = JsonLines.object().put("answeredCalls", answered()).put("remark", remark);
    if (answered() > 0) {
      for (Way way : nanos.keySet()) {
        object
            .putObject(NAMES.get(way))
            .put("medianNanos", median(way))
            .put("ratioToProgram", ratio(way));
      }
    }
    return object;
  }

  /** The same as text. */
  List<String> lines() {
    if (answered() == 0) {
      return List.of(title + ": no call was answered, so none was measured.");
    }
    String medians =
        nanos.keySet().stream()
            .map(way -> "%s %s".formatted(Units.duration(median(way)), WORDS.get(way)))
            .collect(Collectors.joining(", "));
    String ratios =
        nanos.keySet().stream()
            .map(way -> String.format(Locale.ROOT, "%.2f", ratio(way)))
            .collect(Collectors.joining(" : "));
    return List.of(
        "%s, median of %d answered calls: %s; that is %s."
            .formatted(title, answered(), medians, ratios),
        remark);
  }
}
