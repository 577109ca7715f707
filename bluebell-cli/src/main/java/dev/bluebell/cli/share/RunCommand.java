package dev.bluebell.cli.share;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.report.ReportFile;
import dev.bluebell.cli.trace.TraceFormat;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.ReportedDevice;
import dev.bluebell.report.timeline.Timeline;
import dev.bluebell.server.remote.Explanation;
import dev.bluebell.uverbs.DeviceTree;
import dev.bluebell.uverbs.Shim;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell run}: runs an unmodified application on the software ConnectX. */
@Command(
    name = "run",
    header = "Run an application that is written for rdma-core on the software ConnectX.",
    description =
        "The application sees an RDMA device named mlx5_0. Applications that are started this way"
            + " share the device and reach each other. The exit code is the application's, unless"
            + " --fail-on-error says otherwise.",
    exitCodeList = {
      "0–255:the application's own",
      "99:with --fail-on-error: there was a failure to explain",
      "1:no device could be opened for it, or a file could not be written",
      "2:wrong usage",
      "126:the command can't be executed",
      "127:there is no such command"
    })
public final class RunCommand extends CliCommand {
  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Where the device process listens. Default: your own; started when needed.")
  private @Nullable Path socket;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "[NAME=]SPEC",
      description =
          "A device and the name that the application knows it by, such as mlx5_1=soft,"
              + " mlx5_1=soft:loss=5%% or mlx5_1=socket:PATH; may be given several times."
              + " Applications that name the same device share it. Default: mlx5_0=soft.")
  private List<String> devices = new ArrayList<>();

  @Option(
      names = "--map-memory",
      negatable = true,
      description =
          "Share all memory that the application registers with the device, or none of it. The"
              + " device makes no system call to reach shared memory, and is much faster. Default:"
              + " share whole pages of a process with one thread and one device. With all of it"
              + " shared, stores by other threads, and payload of other devices, may be lost while"
              + " memory is registered or deregistered (docs/compatibility/how-it-works.md).")
  private @Nullable Boolean mapMemory;

  @Option(
      names = "--memlock",
      description =
          "Let the application register no more memory than it may lock (ulimit -l), as on a card:"
              + " more fails with ENOMEM, except in privileged processes.")
  private boolean lockMemory;

  @Option(
      names = "--explain",
      description =
          "Print to standard error, as it happens, why a request or a call of the application"
              + " fails.")
  private boolean explain;

  @Option(
      names = "--explain-file",
      paramLabel = "FILE",
      description =
          "Write the explanations to a file as they happen, one in each line with its time and"
              + " process; with --explain they are printed, too. The file is empty when nothing"
              + " failed.")
  private @Nullable Path explanations;

  @Option(
      names = "--fail-on-error",
      description =
          "Exit with 99, whatever the application's own exit code, when there was anything to"
              + " explain, other than what correct applications do, too: flush their own requests,"
              + " replace one doorbell by another, and arm a completion queue before they read its"
              + " event.")
  private boolean failOnError;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write what the device recorded of the application's queues to a file when it ends: the"
              + " last things that happened, and each request that failed. All formats but text"
              + " have whole requests, too, and cost the device more time. "
              + TraceFormat.BY_EXTENSION)
  private @Nullable Path trace;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write a page for a browser when the application ends: its failed requests with the"
              + " wrong fields marked, its connections, counters and a timeline. As with traces"
              + " other than text, requests cost the device more time.")
  private @Nullable Path report;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command and its arguments. Options after its name are its own.")
  private List<String> command = new ArrayList<>();

  private static final int EXPLAINED = 99;

  private static final String IN_VERBS = "in verbs: ";

  private final VerbsWords words = new VerbsWords();

  private final LongAdder failures = new LongAdder();

  private ExplanationsFile explanationsFile = ExplanationsFile.none();

  private final ApplicationProcess application = new ApplicationProcess(this::err);

  @Override
  protected boolean runsApplication() {
    return true;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      return runOnDevices();
    } finally {
      application.filesAreWritten();
    }
  }

  private int runOnDevices() throws IOException, InterruptedException {
    requireDifferent(trace, explanations, report);
    List<NamedDevice> named = named();
    TraceFormat format = trace == null ? TraceFormat.TEXT : TraceFormat.of(trace);
    if (format == TraceFormat.CHAIN && named.size() > 1) {
      throw wrongUsage("a chain has the queues of one device, but --device names several");
    }
    Path folder = RuntimeFolder.get();
    Path shim =
        Shim.extract(folder)
            .orElseThrow(
                () ->
                    new WorkFailed(
                        "this build of Bluebell lacks its C part, because gcc was missing; install"
                            + " gcc (Debian and Ubuntu: apt install gcc libc6-dev) and try again"));
    if (shim.toString().contains(" ") || shim.toString().contains(":")) {
      throw new WorkFailed(
          "the folder %s has a space or a colon in its path, which end a path in LD_PRELOAD; set XDG_RUNTIME_DIR to a folder without them"
              .formatted(folder));
    }
    for (NamedDevice device : named) {
      ensure(device);
    }
    // Checked before the application runs: otherwise its work and exit code would be lost.
    if (trace != null) {
      new OutputFile("trace", trace).require();
    }
    if (explanations != null) {
      explanationsFile = ExplanationsFile.open(explanations);
    }
    ReportFile page = report == null ? null : new ReportFile(report, version());
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    Map<String, String> environment = builder.environment();
    environment.put("BLUEBELL_SOCKET", joined(named, device -> device.socket().toString()));
    if (mapMemory != null) {
      environment.put("BLUEBELL_MAP_MEMORY", mapMemory ? "1" : "0");
    }
    if (lockMemory) {
      environment.put("BLUEBELL_MEMLOCK", "1");
    }
    environment.merge(DeviceProcess.PRELOAD, shim.toString(), (old, ours) -> ours + ":" + old);
    if (named.size() == 1 && named.getFirst().name().equals(DeviceTree.NAME)) {
      environment.put("SYSFS_PATH", named.getFirst().tree().toString());
      return observe(named, builder, format, page);
    }
    SequencedMap<String, Path> trees = new LinkedHashMap<>();
    named.forEach(device -> trees.put(device.name(), device.tree()));
    Path own = Files.createTempDirectory(folder, "sysfs");
    try (DeviceTree tree = DeviceTree.compose(own, trees)) {
      environment.put("SYSFS_PATH", tree.path().toString());
      return observe(named, builder, format, page);
    }
  }

  private List<NamedDevice> named() throws IOException {
    try {
      return NamedDevice.of(devices, socket);
    } catch (WorkFailed mistake) {
      throw wrongUsage(String.valueOf(mistake.getMessage()));
    }
  }

  private void ensure(NamedDevice device) throws IOException, InterruptedException {
    try {
      device.ensure();
      if (!devices.isEmpty()) {
        device.requireSpec();
      }
    } catch (IllegalArgumentException mistake) {
      throw wrongUsage(String.valueOf(mistake.getMessage()));
    }
  }

  private static <T> String joined(List<T> list, Function<T, String> part) {
    return list.stream().map(part).collect(Collectors.joining(":"));
  }

  private int observe(
      List<NamedDevice> named,
      ProcessBuilder builder,
      TraceFormat format,
      @Nullable ReportFile page)
      throws IOException, InterruptedException {
    boolean traces = format != TraceFormat.TEXT || page != null;
    List<Map<PortCounter, Long>> before = page == null ? List.of() : counters(named);
    // Also keeps the device processes, while the application has no device open.
    try (Observations observations = Observations.open(named, traces, this::explain)) {
      // Without any of these options, too: 'stat --queues' lists observed applications.
      builder
          .environment()
          .put("BLUEBELL_OBSERVER", joined(observations.tokens(), Object::toString));
      if (!explain && explanations == null && !failOnError && trace == null && page == null) {
        return application.run(builder);
      }
      int code = application.run(builder);
      List<ApplicationRecord> records = observations.end();
      // A file that can't be written must not cost the others.
      boolean written = isWritten(explanationsFile::close);
      written &= isWritten(() -> writeTrace(format, records));
      written &= isWritten(() -> write(page, code, records, before));
      int verdict = verdict(code);
      if (explain && code != 0 && failures.sum() == 0) {
        printLeft(records);
      }
      return written || verdict == EXPLAINED ? verdict : ExitCode.SOFTWARE;
    }
  }

  /** An application that failed without any other failure may have waited for what never came. */
  private void printLeft(List<ApplicationRecord> records) {
    List<String> left = records.stream().flatMap(record -> record.left().stream()).toList();
    if (!left.isEmpty()) {
      err()
          .println(
              "bluebell: nothing was explained. These queues existed when the application ended, as"
                  + " the device saw them:");
      left.forEach(line -> err().println("bluebell:   " + line));
      err().flush();
    }
  }

  /** Prints a failure at once: an interrupted process ends before its exceptions are reported. */
  private boolean isWritten(Runnable write) {
    try {
      write.run();
      return true;
    } catch (WorkFailed lost) {
      err().println("bluebell: " + lost.getMessage());
      err().flush();
      return false;
    }
  }

  private void writeTrace(TraceFormat format, List<ApplicationRecord> records) {
    if (trace == null) {
      return;
    }
    List<HcaHappening> all =
        records.stream().flatMap(record -> record.happenings().stream()).toList();
    new OutputFile("trace", trace)
        .write(
            format.write(all, command.getFirst()),
            err(),
            "%s of the flight record, %s%s"
                .formatted(
                    Counted.of(all.size(), "entry", "entries"),
                    format.describe(all),
                    Timeline.of(all)
                        .overwritten()
                        .map(lost -> "; " + lost.description())
                        .orElse("")));
  }

  private int verdict(int code) {
    // The exit code of an interrupted run is that of the signal.
    if (!failOnError || failures.sum() == 0 || application.isInterrupted()) {
      return code;
    }
    err()
        .println(
            "bluebell: --fail-on-error: %d explained, so the exit code is %d; the application's is %d"
                .formatted(failures.sum(), EXPLAINED, code));
    err().flush();
    return EXPLAINED;
  }

  private void write(
      @Nullable ReportFile page,
      int code,
      List<ApplicationRecord> records,
      List<Map<PortCounter, Long>> before) {
    if (page == null) {
      return;
    }
    List<NamedDevice> named = records.stream().map(ApplicationRecord::device).toList();
    List<Map<PortCounter, Long>> after = counters(named);
    page.add("Command", String.join(" ", command));
    page.add(
        "Exit code",
        application.goesOn()
            ? "none: the application goes on after SIGTERM"
            : String.valueOf(code));
    List<String> left = records.stream().flatMap(record -> record.left().stream()).toList();
    if (!left.isEmpty()) {
      page.add("Queues when it ended", String.join("; ", left));
    }
    page.add(
        "Devices",
        named.stream()
            .map(device -> "%s (%s)".formatted(device.name(), device.spec()))
            .collect(Collectors.joining(", ")));
    String inVerbs =
        new VerbsWords()
            .of(
                records.stream()
                    .flatMap(record -> record.explanations().stream())
                    .collect(Collectors.joining("\n")));
    if (!inVerbs.isEmpty()) {
      page.add("In verbs", inVerbs);
    }
    for (int i = 0; i < records.size(); i++) {
      ApplicationRecord record = records.get(i);
      page.add(
          new ReportedDevice(
              record.device().name(),
              record.happenings(),
              record.explanations(),
              before.get(i),
              after.get(i)));
    }
    page.write(command.getFirst(), err());
  }

  /** The counters of each device; empty for a device whose process has ended. */
  private static List<Map<PortCounter, Long>> counters(List<NamedDevice> named) {
    return named.stream().map(RunCommand::counters).toList();
  }

  private static Map<PortCounter, Long> counters(NamedDevice device) {
    try (Device opened = Device.open("socket:" + device.socket())) {
      return opened.counters();
    } catch (HcaException gone) {
      return Map.of();
    }
  }

  private void explain(Explanation explanation) {
    if (HcaDiagnosis.isFailure(explanation.sentence())) {
      failures.increment();
    }
    String sentence = explanation.sentence().replace('\n', ' ');
    String process = explanation.process().isEmpty() ? "" : explanation.process() + ": ";
    List<String> lines = new ArrayList<>();
    String inVerbs = words.of(sentence);
    if (!inVerbs.isEmpty()) {
      lines.add(IN_VERBS + inVerbs);
    }
    if (!explanationsFile.write(Instant.now(), process + sentence, lines) || explain) {
      lines.addFirst(application.is(explanation.pid()) ? sentence : process + sentence);
      lines.forEach(line -> err().println("bluebell: " + line));
      err().flush();
    }
  }
}
