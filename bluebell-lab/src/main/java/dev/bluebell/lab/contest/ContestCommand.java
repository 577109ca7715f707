package dev.bluebell.lab.contest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.cli.program.PlanOption;
import dev.bluebell.lab.contest.Contest.Outcome;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lab contest}. */
@Command(
    name = "contest",
    header = "Clients that compete for one table.",
    description = {
      "Lets clients call lock, release, fetch-add, page-allocate or page-free at random times, all"
          + " on one table, and checks what the service promises. The exit code is 1 if a promise"
          + " is broken."
    })
public final class ContestCommand extends CliCommand {
  private static final int MAX_CLIENTS = 1000;

  @Mixin private PlanOption option = new PlanOption();

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "How many clients compete. Default: ${DEFAULT-VALUE}.",
      defaultValue = "4")
  private int clients;

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "How many calls all clients make together. Default: ${DEFAULT-VALUE}.",
      defaultValue = "100")
  private int calls;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Which calls, and when. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--adversary",
      paramLabel = "SEED",
      description = "Randomize, from a seed, every ordering that the specification leaves open.")
  private @Nullable Long adversary;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (clients < 1 || clients > MAX_CLIENTS) {
      throw wrongUsage("--clients %d: give 1 to %d".formatted(clients, MAX_CLIENTS));
    }
    if (calls < 1) {
      throw wrongUsage("--calls %d: give 1 or more".formatted(calls));
    }
    Offload offload = option.offload();
    Outcome outcome = compete(offload);
    if (json) {
      ObjectNode object =
          JsonLines.object()
              .put("name", offload.name())
              .put("clients", clients)
              .put("calls", outcome.calls())
              .put("summary", outcome.summary());
      outcome.complaints().forEach(object.putArray("complaints")::add);
      json().write(object);
    } else {
      out()
          .println(
              "%s, %d clients and one table, %d calls: %s"
                  .formatted(offload.name(), clients, outcome.calls(), outcome.summary()));
      outcome.complaints().forEach(each -> out().println(Style.bad("wrong") + "  " + each));
      out().flush();
    }
    return outcome.complaints().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Outcome compete(Offload offload) {
    SoftNicOptions plain = option.device();
    SoftNicOptions options = adversary == null ? plain : plain.withAdversary(adversary);
    try (Device device = Device.over(SoftNic.open(options));
        Contest contest =
            Contest.of(offload.name(), device, option.target(), option.model(), clients, seed)
                .orElseThrow(
                    () ->
                        wrongUsage(
                            "clients have nothing to compete for in %s: choose lock, release,"
                                    .formatted(offload.name())
                                + " fetch-add, page-allocate or page-free"))) {
      return contest.run(calls);
    }
  }
}
