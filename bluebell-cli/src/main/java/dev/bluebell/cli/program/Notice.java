package dev.bluebell.cli.program;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.program.Data;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The notice of a resident program for its clients, one item per line: the service, the seed and
 * addresses of its tables, how it is compiled, and the queue pairs that clients may join.
 *
 * @param service name of an offload
 * @param seats endpoints, each for one client
 * @param addresses of its data, by name
 */
record Notice(
    String service,
    long seed,
    Target target,
    Model model,
    List<QueuePairEndpoint> seats,
    Map<String, Long> addresses) {
  private static final String FORM = "bluebell-program 1";

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(FORM);
    lines.add("service " + service);
    lines.add("seed " + seed);
    lines.add("target " + target.name());
    lines.add("model " + model.name());
    addresses.forEach((name, at) -> lines.add("data %d %s".formatted(at, name)));
    seats.forEach(seat -> lines.add("seat " + seat));
    return String.join("\n", lines);
  }

  /**
   * Reads a notice.
   *
   * @throws WorkFailed when it is not the notice of a program that clients may join
   */
  static Notice parse(String resident, String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(FORM)) {
      throw new WorkFailed(
          "%s was not installed by 'bluebell program install', so it names no seat for a client"
              .formatted(resident));
    }
    Map<String, String> words = new HashMap<>();
    Map<String, Long> addresses = new HashMap<>();
    List<QueuePairEndpoint> seats = new ArrayList<>();
    try {
      for (String line : lines.subList(1, lines.size())) {
        String[] parts = line.split(" ", 2);
        switch (parts[0]) {
          case "seat" -> seats.add(QueuePairEndpoint.parse(parts[1]));
          case "data" -> {
            String[] data = parts[1].split(" ", 2);
            addresses.put(data[1], Long.parseLong(data[0]));
          }
          default -> words.put(parts[0], parts[1]);
        }
      }
      return new Notice(
          word(words, "service"),
          Long.parseLong(word(words, "seed")),
          Target.valueOf(word(words, "target").toUpperCase(Locale.ROOT)),
          Model.valueOf(word(words, "model").toUpperCase(Locale.ROOT)),
          seats,
          addresses);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
      throw new WorkFailed("the notice of %s is malformed: %s".formatted(resident, wrong));
    }
  }

  private static String word(Map<String, String> words, String name) {
    String found = words.get(name);
    if (found == null) {
      throw new IllegalArgumentException("it has no " + name);
    }
    return found;
  }

  /** The service with its tables, and a call of it. */
  Example example() {
    Offload offload =
        Offloads.named(service)
            .orElseThrow(() -> new WorkFailed("this build has no service " + service));
    return offload.example(seed);
  }

  Plan plan(Program program) {
    return Compiler.compile(program, target, model, Calls.MANY);
  }

  /** Addresses of a program's data. */
  Map<Data, Long> places(Program program) {
    Map<Data, Long> places = new HashMap<>();
    for (Data data : program.data()) {
      places.put(data, Objects.requireNonNullElse(addresses.get(data.name()), 0L));
    }
    return places;
  }
}
