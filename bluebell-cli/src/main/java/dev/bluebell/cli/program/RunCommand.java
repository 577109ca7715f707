package dev.bluebell.cli.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program run}. */
@Command(
    name = "run",
    header = "Run a program on the software ConnectX, and compare each answer.",
    description = {
      "Installs a program on the software ConnectX, with random tables, and calls it with random"
          + " inputs. One installation executes all calls, one after another, with fresh tables for"
          + " each. The answers, and the memory after each call, are compared with those of the"
          + " interpreter.",
      "",
      "Prints how many calls were right. The exit code is 1 if a call was wrong."
    })
final class RunCommand extends CliCommand {
  private static final int MAX_CLIENTS = 1000;

  @Mixin private PlanOption option = new PlanOption();

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "How many calls. Default: 100, or 1 for each of --seeds.")
  private @Nullable Integer calls;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of the random tables and inputs; call i uses N + i. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--adversary",
      paramLabel = "SEED",
      description =
          "Randomize, from a seed, every ordering that the specification leaves open: when WQEs are"
              + " fetched, and which requests overtake others.")
  private @Nullable Long adversary;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description =
          "How many clients call at the same time, each with an installation of its own. Default:"
              + " ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private int clients;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Make the calls on N devices, one after another: with --adversary SEED, SEED + 1 and so"
              + " on.")
  private @Nullable Integer seeds;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private int installations;

  @Override
  public Integer call() {
    int each = calls == null ? seeds == null ? 100 : 1 : calls;
    if (each < 1) {
      throw wrongUsage("--calls %d: give 1 or more".formatted(each));
    }
    if (seeds != null && seeds < 1) {
      throw wrongUsage("--seeds %d: give 1 or more".formatted(seeds));
    }
    if (seeds != null && adversary == null) {
      throw wrongUsage(
          "--seeds %d needs --adversary SEED, the first of the seeds".formatted(seeds));
    }
    if (clients < 1 || clients > MAX_CLIENTS) {
      throw wrongUsage("--clients %d: give 1 to %d".formatted(clients, MAX_CLIENTS));
    }
    Offload offload = option.offload();
    Tally tally = new Tally();
    int devices = seeds == null ? 1 : seeds;
    long next = seed;
    for (int i = 0; i < devices; i++) {
      try (Device device = Device.over(SoftNic.open(options(i)));
          ProtectionDomain domain = device.allocateProtectionDomain();
          Bench bench = new Bench(device, domain)) {
        for (int first = 0; first < each; first += clients) {
          int together = Math.min(clients, each - first);
          run(offload, next, together, bench, tally);
          next += together;
        }
        installations += bench.installations();
      }
    }
    long all = (long) devices * each;
    report(offload, tally, all);
    return tally.right() == all ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void run(Offload offload, long from, int count, Bench bench, Tally tally) {
    Map<Long, ComparedCall> together = new LinkedHashMap<>();
    for (long number = from; number < from + count; number++) {
      together.put(number, new ComparedCall(offload.example(number), option));
    }
    ComparedCall.run(bench, List.copyOf(together.values()));
    together.forEach(tally::add);
  }

  private SoftNicOptions options(int number) {
    SoftNicOptions options = option.device();
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

  private void report(Offload offload, Tally tally, long all) {
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
      json().write(object);
      return;
    }
    tally.complaints().forEach(complaint -> out().println(Style.bad("wrong") + "  " + complaint));
    String right = "%d of %d calls were right".formatted(tally.right(), all);
    out()
        .println(
            "%s, %s, %s model%s: %s, with %d answers; %d WQEs in all, installed %s"
                .formatted(
                    offload.name(),
                    option.target(),
                    option.model(),
                    adversaries(),
                    tally.right() == all ? Style.good(right) : Style.bad(right),
                    tally.answers(),
                    tally.wqes(),
                    Counted.of(installations, "time")));
    out().flush();
  }
}
