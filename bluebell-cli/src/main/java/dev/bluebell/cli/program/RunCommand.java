package dev.bluebell.cli.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
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
          + " inputs. Each call has a fresh installation, and its answers and the memory that it"
          + " leaves are compared with those of the interpreter.",
      "",
      "Prints how many calls were right. A wrong one is the exit code 1."
    })
final class RunCommand extends CliCommand {
  @Mixin private PlanOption option = new PlanOption();

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "How many calls. Default: ${DEFAULT-VALUE}.",
      defaultValue = "100")
  private int calls;

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

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (calls < 1) {
      throw wrongUsage("--calls %d: take 1 or more".formatted(calls));
    }
    Offload offload = option.offload();
    Tally tally = new Tally();
    try (Device device = Device.over(SoftNic.open(options()));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      for (int i = 0; i < calls; i++) {
        tally.add(seed + i, new ComparedCall(offload.example(seed + i), option), device, domain);
      }
    }
    report(offload, tally);
    return tally.right() == calls ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private SoftNicOptions options() {
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withEngine(EngineMode.POLL)
            .withWqeChecks(option.target() == Target.CHECKED)
            .withFencedEnables(option.model() == Model.ASSUMED);
    return adversary == null ? options : options.withAdversary(adversary);
  }

  private void report(Offload offload, Tally tally) {
    if (json) {
      ObjectNode object =
          JsonLines.object()
              .put("name", offload.name())
              .put("target", option.target().toString())
              .put("model", option.model().toString())
              .put("adversary", adversary)
              .put("seed", seed)
              .put("calls", calls)
              .put("right", tally.right())
              .put("wrong", calls - tally.right())
              .put("answers", tally.answers())
              .put("wqes", tally.wqes());
      tally.complaints().forEach(object.putArray("complaints")::add);
      json().write(object);
      return;
    }
    tally.complaints().forEach(complaint -> out().println(Style.bad("wrong") + "  " + complaint));
    String right = "%d of %d calls were right".formatted(tally.right(), calls);
    out()
        .println(
            "%s, %s, %s model%s: %s, with %d answers; %d WQEs in all"
                .formatted(
                    offload.name(),
                    option.target(),
                    option.model(),
                    adversary == null ? "" : ", adversary " + adversary,
                    tally.right() == calls ? Style.good(right) : Style.bad(right),
                    tally.answers(),
                    tally.wqes()));
    out().flush();
  }
}
