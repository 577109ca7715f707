package dev.bluebell.cli.perf;

import static dev.bluebell.cli.perf.PerfOptions.require;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Progress;
import dev.bluebell.cli.report.ReportFile;
import dev.bluebell.connect.ConnectionException;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell perf}: measures throughput and latency of an operation. */
@Command(
    name = "perf",
    header = "Throughput and latency, as perftest measures them.",
    description = {
      "Measures an operation with perftest's options and output: throughput, or latency with"
          + " --latency.",
      "",
      "Both sides run in this process, on one thread and one device, or, with --server and"
          + " --client, in two processes that share a device process or have a device each on a"
          + " network. Every message is checked after the clock has stopped; see"
          + " docs/performance.md for how."
    },
    exitCodeList = {
      "0:good",
      "1:the work failed",
      "2:wrong usage",
      "130:interrupted by Ctrl-C, after what was measured was printed"
    })
public final class PerfCommand extends CliCommand {
  @Parameters(paramLabel = "OP", description = "What to measure: ${COMPLETION-CANDIDATES}.")
  private PerfOperation operation = PerfOperation.WRITE;

  @Mixin private PerfOptions options = new PerfOptions();
  @Mixin private PeerOptions peer = new PeerOptions();
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--json", description = "Print one JSON object for each measurement.")
  private boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write a page for a browser, with failed requests, counters and a timeline of the last"
              + " requests. The measurement is the same without it.")
  private @Nullable Path report;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Measure in N processes, one after another, and print the figure of each and their"
              + " spread.")
  private @Nullable Integer runs;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (PerfRuns.isOne()) {
      runs = null;
      json = true;
    }
    List<PerfPlan> plans = plans();
    if (runs != null) {
      run(plans, runs);
      return ExitCode.OK;
    }
    if (report != null && peer.isOne()) {
      throw wrongUsage("--report is for one process only: leave out --server and --client");
    }
    ReportFile page = report == null ? null : new ReportFile(report, version());
    try (Interruption interruption = Interruption.watch();
        Progress progress = new Progress(err())) {
      PerfWatch watch = watch(interruption, progress);
      Crowd.warning(device.name(), peer.isOne(), Runtime.getRuntime().availableProcessors())
          .ifPresent(sentence -> err().println("bluebell: " + sentence));
      err().flush();
      try (PerfBench bench = bench(plans, watch, page)) {
        if (bench != null) {
          measure(plans, bench, progress);
        }
      } finally {
        if (page != null) {
          page.write("bluebell perf " + operation, err());
        }
      }
    }
    return ExitCode.OK;
  }

  private void run(List<PerfPlan> plans, int processes) throws IOException, InterruptedException {
    if (plans.size() > 1) {
      throw wrongUsage("--runs repeats one measurement: leave out --all");
    }
    if (json) {
      JsonLines lines = json();
      PerfRuns.run(processes, result -> lines.write((ObjectNode) result));
      return;
    }
    PerfPlan plan = plans.getFirst();
    RunsTable table = new RunsTable(out(), plan.latency());
    table.begin(
        "%s, %d bytes, %d processes".formatted(plan.operation().title(), plan.size(), processes));
    PerfRuns.run(processes, table::add);
    table.end();
  }

  private void measure(List<PerfPlan> plans, PerfBench bench, Progress progress) {
    PerfReport report = report();
    report.begin(plans.getFirst(), device.name());
    for (PerfPlan plan : plans) {
      PerfResult result = bench.run(plan);
      progress.close();
      report.add(result);
      if (!result.isVerified()) {
        report.end();
        throw result.failure();
      }
      if (result.interrupted()) {
        break;
      }
    }
    report.end();
  }

  private PerfReport report() {
    String side = peer.isServer() ? "server" : peer.isClient() ? "client" : null;
    return json ? new PerfJson(json()) : new PerfTable(out(), options.format(), side);
  }

  private PerfWatch watch(Interruption interruption, Progress progress) {
    return new PerfWatch(
        interruption::isRequested,
        (plan, what) ->
            progress.show("%s, %d bytes: %s ...".formatted(operation, plan.size(), what)));
  }

  private @Nullable PerfBench bench(
      List<PerfPlan> plans, PerfWatch watch, @Nullable ReportFile page)
      throws IOException, InterruptedException {
    if (peer.isServer()) {
      PeerChannel client =
          PeerChannel.accept(device.open(), peer.listenAddress(), this::waits, watch);
      return client == null
          ? null
          : bench(client, () -> new PeerServer(client, PeerAgreement.of(plans)));
    }
    return peer.isClient() ? client(plans, watch) : new PerfRun(device, watch, page);
  }

  private void waits(InetSocketAddress address) {
    err().println("bluebell: waits for a client at port %d ...".formatted(address.getPort()));
    err().flush();
  }

  private PerfBench client(List<PerfPlan> plans, PerfWatch watch) {
    PeerChannel server;
    try {
      server = PeerChannel.connect(device.open(), peer.serverAddress());
    } catch (ConnectionException e) {
      throw new WorkFailed(
          "%s; start the other side, with --server, first".formatted(e.getMessage()));
    }
    return bench(server, () -> new PeerClient(server, PeerAgreement.of(plans), watch));
  }

  private static PerfBench bench(PeerChannel owned, Supplier<PerfBench> bench) {
    try {
      return bench.get();
    } catch (RuntimeException e) {
      owned.close();
      throw e;
    }
  }

  private List<PerfPlan> plans() {
    try {
      peer.check(device.name());
      if (peer.isOne()) {
        options.checkPeers(operation);
      }
      require(
          !json || !options.format().isListing(),
          "--report-histogram is for the table only: leave out --json or --report-histogram");
      if (runs != null) {
        checkRuns(runs);
      }
      require(
          !device.name().contains("pcap=")
              || runs == null && (peer.isOne() || !options.isOfAllSizes()),
          "each measurement writes the capture of pcap= anew, so the last would remain: leave out"
              + " --all and --runs");
      return options.plans(operation, port());
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
  }

  private void checkRuns(int processes) {
    require(processes >= 1, "--runs must be at least 1");
    require(
        !peer.isOne() && report == null && !options.format().isListing(),
        "--runs repeats a measurement within one process: leave out --server, --client, --report"
            + " and --report-histogram");
  }

  /** Fails before any output if there is no such device. */
  private PerfPort port() {
    try (Device opened = device.open()) {
      return PerfPort.of(opened);
    }
  }
}
