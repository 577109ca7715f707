package dev.bluebell.cli.share;

import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.WorkFailed;
import dev.bluebell.server.remote.Observation;
import dev.bluebell.uverbs.Shim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell run}: an unmodified program on the software ConnectX. */
@Command(
    name = "run",
    header = "Run a program that is written for rdma-core on the software ConnectX.",
    description =
        "The program sees an RDMA device named mlx5_0. Programs that are started this way share it"
            + " and reach each other. The exit code is the program's.",
    exitCodeList = {"0–255:the program's own", "1:the program could not be started"})
public final class RunCommand extends CliCommand {
  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Where the device process listens. Default: your own; started when needed.")
  private @Nullable Path socket;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "SPEC",
      description = "The device, when its process has to be started. Default: soft.")
  private String device = ServeCommand.SOFT;

  @Option(
      names = "--map-memory",
      description =
          "Share the memory that the program registers with the device, which makes small requests"
              + " faster; without it, the device copies from and to the program's own memory.")
  private boolean mapMemory;

  @Option(
      names = "--explain",
      description =
          "Print why a request or a call of the program fails, when it does, to standard error.")
  private boolean explain;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write what the device recorded of the program's queues to a file when it ends: the last"
              + " things that happened, and each request that failed.")
  private @Nullable Path trace;

  @Parameters(arity = "1..*", paramLabel = "PROGRAM", description = "The program, its arguments.")
  private List<String> program = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = RuntimeFolder.get();
    Path shim =
        Shim.extract(folder)
            .orElseThrow(
                () ->
                    new WorkFailed(
                        "this build of Bluebell lacks its C part, because gcc was missing; install"
                            + " gcc (Debian and Ubuntu: apt install gcc libc6-dev), remove"
                            + " .bluebell and try again"));
    if (trace != null) {
      requireWritable(trace);
    }
    Path path = socket == null ? RuntimeFolder.socket() : socket.toAbsolutePath();
    DeviceProcess.ensure(path, device);
    ProcessBuilder builder = new ProcessBuilder(program).inheritIO();
    Map<String, String> environment = builder.environment();
    environment.put("BLUEBELL_SOCKET", path.toString());
    environment.put("SYSFS_PATH", RuntimeFolder.tree(path).toString());
    if (mapMemory) {
      environment.put("BLUEBELL_MAP_MEMORY", "1");
    }
    environment.merge("LD_PRELOAD", shim.toString(), (old, ours) -> ours + ":" + old);
    return explain || trace != null ? observe(path, builder) : run(builder);
  }

  // Before the program runs, whose work and exit code would be lost.
  private static void requireWritable(Path trace) {
    try {
      Files.write(trace, new byte[0]);
    } catch (IOException e) {
      throw new WorkFailed(
          "the trace can't be written to %s: name a file in a folder that exists and is yours"
              .formatted(trace));
    }
  }

  private int observe(Path path, ProcessBuilder builder) throws IOException, InterruptedException {
    try (Observation observation = Observation.open(path, this::explain)) {
      builder.environment().put("BLUEBELL_OBSERVER", Long.toString(observation.token()));
      int code = run(builder);
      List<String> record = observation.end();
      if (trace != null) {
        Files.write(trace, record.stream().map(String::stripTrailing).toList());
      }
      return code;
    }
  }

  private void explain(String sentence) {
    if (explain) {
      err().println("bluebell: " + sentence.replace('\n', ' '));
      err().flush();
    }
  }

  private int run(ProcessBuilder builder) throws InterruptedException {
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new WorkFailed(
          "the program %s can't be started: %s".formatted(program.getFirst(), e.getMessage()));
    }
    Thread stop = Thread.ofPlatform().unstarted(process::destroy);
    Runtime.getRuntime().addShutdownHook(stop);
    int code = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(stop);
    return code;
  }
}
