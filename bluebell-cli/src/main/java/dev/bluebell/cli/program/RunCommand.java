package dev.bluebell.cli.program;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.program.compare.ChainComparison;
import dev.bluebell.program.compare.Comparison.Way;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.contest.Contest;
import dev.bluebell.program.contest.Contest.Outcome;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program run}. */
@Command(
    name = "run",
    header = "A program on the software ConnectX, each answer compared.",
    description = {
      "Installs a program on the software ConnectX, with random tables, and calls it with random"
          + " inputs. One installation for many calls takes one after another, with fresh tables"
          + " for each (a program that is too long for that is installed for each call); answers"
          + " and the memory that a call leaves are compared with those of the interpreter.",
      "",
      "Prints how many calls were right. A wrong one is the exit code 1. Then the same calls are"
          + " made in three ways, and their time is compared: by the program; by the client, with"
          + " READs and atomics of its own; and by a thread of the host, which answers messages."
    })
final class RunCommand extends CliCommand {
  private static final int MAX_CLIENTS = 1000;
  private static final int MAX_COMPLAINTS = 5;

  /** The service of which there is a whole chain to run. */
  private static final String CHAIN = "chain-write";

  @Mixin private PlanOption option = new PlanOption();

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "How many calls. Default: 100, or 1 for each of --seeds.")
  private @Nullable Integer calls;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Which random tables and inputs; call i has N + i. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--adversary",
      paramLabel = "SEED",
      description =
          "Draw all that the order of requests leaves open, from a seed: when WQEs are fetched,"
              + " what overtakes what.")
  private @Nullable Long adversary;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description =
          "How many clients call at the same time, each with an installation of its own. Those of"
              + " lock, release, fetch-add, page-allocate and page-free then compete for one table,"
              + " too. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private int clients;

  @Option(
      names = "--virtual-time",
      description =
          "Also predict the time on a card: the ConnectX-5 of docs/nic-programs.md, in virtual"
              + " time.")
  private boolean virtualTime;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Make the calls on N devices, one behind the other: that of --adversary SEED, of SEED + 1"
              + " and so on.")
  private @Nullable Integer seeds;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private int installations;

  @Override
  public Integer call() {
    int each = calls == null ? seeds == null ? 100 : 1 : calls;
    if (each < 1) {
      throw wrongUsage("--calls %d: take 1 or more".formatted(each));
    }
    if (seeds != null && (seeds < 1 || adversary == null)) {
      throw wrongUsage("--seeds %d: take 1 or more, with --adversary SEED".formatted(seeds));
    }
    if (clients < 1 || clients > MAX_CLIENTS) {
      throw wrongUsage("--clients %d: take 1 to %d".formatted(clients, MAX_CLIENTS));
    }
    if (virtualTime && adversary != null) {
      throw wrongUsage("--virtual-time and --adversary: a device has one or the other");
    }
    Offload offload = option.offload();
    Tally tally = new Tally();
    List<Outcome> contests = new ArrayList<>();
    int devices = seeds == null ? 1 : seeds;
    long next = seed;
    for (int i = 0; i < devices; i++) {
      try (Device device = Device.over(SoftNic.open(options(i)));
          ProtectionDomain domain = device.allocateProtectionDomain()) {
        try (Bench bench = new Bench(device, domain)) {
          for (int first = 0; first < each; first += clients) {
            int together = Math.min(clients, each - first);
            run(offload, next, together, bench, tally);
            next += together;
          }
          installations += bench.installations();
        }
        if (offload.name().equals(CHAIN)) {
          contests.add(chain(device, seed + i, each));
        }
        if (clients > 1) {
          compete(offload, device, seed + i, each).ifPresent(contests::add);
        }
      }
    }
    long all = (long) devices * each;
    report(offload, tally, all, contests, times(offload, each));
    boolean right =
        tally.right() == all
            && contests.stream().allMatch(contest -> contest.complaints().isEmpty());
    return right ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Writes through all replicas, each of which is looked at. */
  private Outcome chain(Device device, long draws, int count) {
    List<String> complaints = new ArrayList<>();
    try (ChainComparison chain =
        new ChainComparison(device, false, option.target(), option.model())) {
      for (int i = 0; i < count; i++) {
        complaints.addAll(chain.complaint(Way.PROGRAM, draws + i).stream().toList());
      }
    }
    String summary =
        "%d of %d values were in the memory of %d replicas when they were acknowledged"
            .formatted(count - complaints.size(), count, ChainComparison.replicas());
    return new Outcome(count, summary, complaints.stream().limit(MAX_COMPLAINTS).toList());
  }

  private Optional<Outcome> compete(Offload offload, Device device, long draws, int count) {
    Optional<Contest> contest =
        Contest.of(offload.name(), device, option.target(), option.model(), clients, draws);
    if (contest.isEmpty()) {
      return Optional.empty();
    }
    try (Contest begun = contest.get()) {
      return Optional.of(begun.run(count));
    }
  }

  private void run(Offload offload, long from, int count, Bench bench, Tally tally) {
    Map<Long, ComparedCall> together = new LinkedHashMap<>();
    for (long number = from; number < from + count; number++) {
      together.put(number, new ComparedCall(offload.example(number), option));
    }
    ComparedCall.run(bench, List.copyOf(together.values()));
    together.forEach(tally::add);
  }

  /** An adversary's pauses are no time of anything. */
  private List<Times> times(Offload offload, int each) {
    if (adversary != null) {
      return List.of();
    }
    List<Times> times = new ArrayList<>();
    times.add(Times.real(offload, option, options(0), seed, each));
    if (offload.name().equals(CHAIN)) {
      times.add(Times.ofChain(option, options(0), seed, each));
    }
    if (virtualTime) {
      times.add(Times.predicted(offload, option, options(0), seed, each));
    }
    return times;
  }

  private SoftNicOptions options(int number) {
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withEngine(EngineMode.POLL)
            .withWqeChecks(option.target() == Target.CHECKED)
            .withFencedEnables(option.model() == Model.ASSUMED);
    return adversary == null ? options : options.withAdversary(adversary + number);
  }

  private String adversaries() {
    if (adversary == null) {
      return "";
    }
    return seeds == null
        ? ", adversary " + adversary
        : ", adversaries %d to %d".formatted(adversary, adversary + seeds - 1);
  }

  private void report(
      Offload offload, Tally tally, long all, List<Outcome> contests, List<Times> times) {
    if (json) {
      ObjectNode object =
          JsonLines.object()
              .put("name", offload.name())
              .put("target", option.target().toString())
              .put("model", option.model().toString())
              .put("adversary", adversary)
              .put("seeds", seeds)
              .put("seed", seed)
              .put("calls", all)
              .put("clients", clients)
              .put("right", tally.right())
              .put("wrong", all - tally.right())
              .put("answers", tally.answers())
              .put("wqes", tally.wqes())
              .put("installations", installations);
      tally.complaints().forEach(object.putArray("complaints")::add);
      ArrayNode competing = object.putArray("contests");
      contests.forEach(
          each -> {
            ObjectNode contest = competing.addObject();
            contest.put("calls", each.calls()).put("summary", each.summary());
            each.complaints().forEach(contest.putArray("complaints")::add);
          });
      times.forEach(each -> object.set(each.key(), each.json()));
      json().write(object);
      return;
    }
    tally.complaints().forEach(complaint -> out().println(Style.bad("wrong") + "  " + complaint));
    String right = "%d of %d calls were right".formatted(tally.right(), all);
    out()
        .println(
            "%s, %s, %s model%s: %s, with %d answers; %d WQEs in all, installed %d times"
                .formatted(
                    offload.name(),
                    option.target(),
                    option.model(),
                    adversaries(),
                    tally.right() == all ? Style.good(right) : Style.bad(right),
                    tally.answers(),
                    tally.wqes(),
                    installations));
    for (Outcome contest : contests) {
      out()
          .println(
              "%s, %d calls: %s"
                  .formatted(
                      offload.name().equals(CHAIN)
                          ? "a chain of %d replicas".formatted(ChainComparison.replicas())
                          : "%d clients and one table".formatted(clients),
                      contest.calls(),
                      contest.summary()));
      contest
          .complaints()
          .forEach(complaint -> out().println(Style.bad("wrong") + "  " + complaint));
    }
    times.forEach(each -> each.lines().forEach(out()::println));
    out().flush();
  }
}
