package dev.bluebell.cli.perf;

import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.DeviceOption;
import dev.bluebell.cli.WorkFailed;
import dev.bluebell.cli.output.Progress;
import dev.bluebell.verbs.Device;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell perf}: throughput and latency of one operation. */
@Command(
    name = "perf",
    header = "Throughput and latency, as perftest measures them.",
    description = {
      "Measures an operation in perftest's dialect: throughput, or latency with --latency.",
      "",
      "Both sides run in this process, on one thread, on one device. Every message is checked after"
          + " the clock has stopped; see docs/performance.md for how."
    })
public final class PerfCommand extends CliCommand {
  @Parameters(
      paramLabel = "OP",
      converter = PerfOperationConverter.class,
      description = "What to measure: ${COMPLETION-CANDIDATES}.")
  private PerfOperation operation = PerfOperation.WRITE;

  @Mixin private PerfOptions options = new PerfOptions();
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--json", description = "Print one JSON object for each measurement.")
  private boolean json;

  @Override
  public Integer call() {
    List<PerfPlan> plans = plans(port());
    PerfReport report = json ? new PerfJson(json()) : new PerfTable(out());
    report.begin(plans.getFirst(), device.name());
    try (Progress progress = new Progress(err())) {
      for (PerfPlan plan : plans) {
        progress.show("%s, %d bytes ...".formatted(operation, plan.size()));
        PerfResult result = run(plan);
        progress.close();
        report.add(result);
        if (result.fault() != null) {
          report.end();
          throw new WorkFailed(
              "the data of perf %s is wrong: %s".formatted(operation, result.fault()));
        }
      }
    }
    report.end();
    return ExitCode.OK;
  }

  private List<PerfPlan> plans(PerfPort port) {
    try {
      return options.plans(operation, port);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
  }

  /** Fails before anything is printed when there is no such device. */
  private PerfPort port() {
    try (Device opened = device.open()) {
      return PerfPort.of(opened);
    }
  }

  private PerfResult run(PerfPlan plan) {
    try (Device opened = device.open()) {
      return PerfRun.run(opened, plan);
    }
  }
}
