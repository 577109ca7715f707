package dev.bluebell.lab.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.cli.program.PlanOption;
import dev.bluebell.lab.compare.Comparison.Way;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lab compare}. */
@Command(
    name = "compare",
    header = "Times of a NIC program, of one-sided requests, and of a thread of the host.",
    description = {
      "Makes the same calls of a service in three ways, and prints the median time of each: by the"
          + " program; by the client, with READs and atomics of its own; and by a thread of the"
          + " host, which answers messages.",
      "",
      "chain-write also writes through a whole chain of replicas, and checks their memory. The exit"
          + " code is 1 if a replica is wrong."
    })
public final class CompareCommand extends CliCommand {
  private static final String CHAIN = "chain-write";

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
      description =
          "Seed of the random tables and inputs; call i uses N + i. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--virtual-time",
      description =
          "Also predict the time on a card: the ConnectX-5 of docs/nic-programs.md, in virtual"
              + " time.")
  private boolean virtualTime;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (calls < 1) {
      throw wrongUsage("--calls %d: give 1 or more".formatted(calls));
    }
    Offload offload = option.offload();
    boolean isChain = offload.name().equals(CHAIN);
    List<String> complaints = isChain ? chainComplaints() : List.of();
    List<Times> times = new ArrayList<>();
    times.add(Times.real(offload, option, option.device(), seed, calls));
    if (isChain) {
      times.add(Times.ofChain(option, option.device(), seed, calls));
    }
    if (virtualTime) {
      times.add(Times.predicted(offload, option, option.device(), seed, calls));
    }
    if (json) {
      write(offload, complaints, times);
    } else {
      complaints.forEach(each -> out().println(Style.bad("wrong") + "  " + each));
      times.forEach(each -> each.lines().forEach(out()::println));
      out().flush();
    }
    return complaints.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Writes through the chain in each way, and checks the memory of each replica. */
  private List<String> chainComplaints() {
    List<String> complaints = new ArrayList<>();
    try (Device device = Device.over(SoftNic.open(option.device()));
        ChainComparison chain =
            new ChainComparison(device, false, option.target(), option.model())) {
      for (int i = 0; i < calls; i++) {
        chain.complaint(Way.PROGRAM, seed + i).ifPresent(complaints::add);
      }
    }
    return complaints;
  }

  private void write(Offload offload, List<String> complaints, List<Times> times) {
    ObjectNode object =
        JsonLines.object()
            .put("name", offload.name())
            .put("target", option.target().toString())
            .put("model", option.model().toString())
            .put("seed", seed)
            .put("calls", calls);
    complaints.forEach(object.putArray("complaints")::add);
    times.forEach(each -> object.set(each.key(), each.json()));
    json().write(object);
  }
}
