package dev.bluebell.cli.trace;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.cli.command.SizeConverter;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.report.ReportFile;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell trace}: shows step by step what the device does, on a time axis. */
@Command(
    name = "trace",
    header = "Trace each request of a short example on a timeline.",
    description = {
      "Runs an example between two queue pairs and shows the flight record of it: each request from"
          + " its doorbell to its completions. Without --output, --svg, --report and --json it"
          + " prints a line for each request. Requests that were flushed before the device fetched"
          + " them have no line.",
      "",
      "By default time is virtual, with timing modelled on a ConnectX-5, and the same in each run;"
          + " --device soft has the real time of the software device. 'bluebell run --trace"
          + " FILE.pftrace -- COMMAND' traces other applications."
    })
public final class TraceCommand extends CliCommand {
  private static final String VIRTUAL = "soft:timing=connectx5,identity=1";
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_SECONDS = 86_400;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXAMPLE",
      description = "What to run: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.",
      defaultValue = "echo")
  private Scene scene = Scene.ECHO;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "NAME",
      description =
          "The device, such as soft, soft:loss=5%% or socket:PATH (the device of 'bluebell serve')."
              + " Default: ${DEFAULT-VALUE}.",
      defaultValue = VIRTUAL)
  private String device = VIRTUAL;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "How many round trips, or requests. Default: ${DEFAULT-VALUE}.",
      defaultValue = "2")
  private int count;

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      converter = SizeConverter.class,
      description = "Bytes of each message. Default: ${DEFAULT-VALUE}.",
      defaultValue = "64")
  private int bytes;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write a trace: " + TraceFormat.BY_EXTENSION)
  private @Nullable Path output;

  @Option(names = "--svg", paramLabel = "FILE", description = "Write a picture.")
  private @Nullable Path svg;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page for a browser, with failed requests, counters and a timeline.")
  private @Nullable Path report;

  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description =
          "Write the packets as RoCEv2, for Wireshark and 'bluebell decode'. Each request is then a"
              + " single packet.")
  private @Nullable Path pcap;

  @Option(names = "--json", description = "Print one JSON object for each thing that happened.")
  private boolean json;

  @Option(
      names = "--open",
      description =
          "Print a link that opens the trace in the Perfetto UI, and serve it on port 9001 of"
              + " 127.0.0.1 until it has been fetched.")
  private boolean open;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "How long --open serves at most. Default: ${DEFAULT-VALUE}.",
      defaultValue = "120")
  private int seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    ReportFile page = report == null ? null : new ReportFile(report, version());
    List<HcaHappening> record;
    try (Device opened = DeviceOption.open(capturing(), commandLine())) {
      Runnable atEnd = ReportFile.begin(page, device, opened);
      record = play(opened);
      atEnd.run();
    }
    Timeline timeline = Timeline.of(record);
    if (pcap != null) {
      new OutputFile("capture", pcap).announce(err(), "the packets of '%s'".formatted(title()));
    }
    if (output != null) {
      write(output, TraceFormat.of(output), record);
    }
    if (svg != null) {
      write(svg, TraceFormat.SVG, record);
    }
    if (page != null) {
      page.add("Command", title());
      page.write(title(), err());
    }
    if (json) {
      TraceLines.write(timeline, json());
    } else if (output == null && svg == null && page == null) {
      timeline.requests().forEach(request -> out().println(line(timeline, request)));
      out().flush();
    }
    if (open) {
      serve(PerfettoTrace.of(timeline));
    }
    return ExitCode.OK;
  }

  private void check() {
    if (count < 1 || count > Ends.MOST) {
      throw wrongUsage("--count must be 1 to %d".formatted(Ends.MOST));
    }
    if (bytes < 1 || bytes > MOST_BYTES) {
      throw wrongUsage("--size must be 1 to %d bytes".formatted(MOST_BYTES));
    }
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw wrongUsage("--wait must be 1 to %d seconds".formatted(MOST_SECONDS));
    }
    requireDifferent(output, svg, report, pcap);
  }

  /** The device, with the option to capture packets to a file if the user asked for it. */
  private String capturing() {
    if (pcap == null) {
      return device;
    }
    if (!DeviceOption.isSoft(device)) {
      throw wrongUsage(
          "--pcap: only a software device of this command writes its packets to %s; start the device process of %s with --device soft:pcap=FILE"
              .formatted(pcap, device));
    }
    if (pcap.toString().contains(",")) {
      throw wrongUsage(
          "--pcap: %s has a comma, which separates the options of a device: name another file"
              .formatted(pcap));
    }
    return DeviceOption.with(device, "pcap=" + pcap);
  }

  private List<HcaHappening> play(Device opened) {
    HcaDiagnosis diagnosis =
        opened
            .diagnosis()
            .orElseThrow(
                () ->
                    new WorkFailed(
                        "device %s has no flight record, like all hardware; trace a software device"
                            .formatted(device)));
    Ends ends = new Ends(opened, diagnosis, bytes);
    diagnosis.trace(true);
    scene.play(ends, count);
    List<HcaHappening> record = ends.record();
    diagnosis.trace(false);
    return record;
  }

  private void write(Path file, TraceFormat format, List<HcaHappening> record) {
    int requests = Timeline.of(record).requests().size();
    new OutputFile("trace", file)
        .write(
            format.write(record, title()),
            err(),
            "%s of '%s', %s"
                .formatted(Counted.of(requests, "request"), title(), format.describe(record)));
  }

  private String title() {
    return "bluebell trace " + scene;
  }

  private static String line(Timeline timeline, Request request) {
    List<String> steps = new ArrayList<>();
    for (Moment moment : request.flow()) {
      HcaHappening happening = moment.happening();
      String what =
          switch (happening.kind()) {
            case HcaHappening.DELIVERED -> "executed by QP 0x%x".formatted(happening.number());
            case HcaHappening.COMPLETED -> "CQE of QP 0x%x".formatted(happening.number());
            default -> happening.name();
          };
      steps.add(
          String.format(
              Locale.ROOT, "%s %.3f", what, (moment.nanos() - timeline.start()) / NANOS_PER_MICRO));
    }
    Moment completion = request.completion();
    String why = completion == null ? null : completion.explanation();
    return "QP 0x%x %s: %s µs%s"
        .formatted(
            request.queuePair(),
            request.name(),
            String.join(", ", steps),
            why == null ? "" : "\n  " + why);
  }

  private void serve(byte[] trace) throws IOException, InterruptedException {
    try (TraceLink link = new TraceLink(trace, scene + ".pftrace", TraceLink.PORT)) {
      out().println(link.link());
      out().flush();
      if (!link.await(Duration.ofSeconds(seconds))) {
        throw new WorkFailed(
            "the trace was not fetched within %d s; --wait gives more time, --output writes a file"
                .formatted(seconds));
      }
    }
  }
}
