package dev.bluebell.cli.stat;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Progress;
import dev.bluebell.cli.share.OwnDevice;
import dev.bluebell.hca.HcaException;
import dev.bluebell.server.remote.Observation;
import dev.bluebell.uverbs.DeviceTree;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code bluebell stat}: prints counters and how they change. */
@Command(
    name = "stat",
    header = "Watch the counters of a device process.",
    description = {
      "Prints the counters of a device that 'bluebell run' or 'bluebell serve' started, under"
          + " mlx5's names, and how fast they rise: packets and data of the port, and what went"
          + " wrong on queue pairs. Counters that are 0 are left out.",
      "",
      "port_xmit_data and port_rcv_data count units of 4 bytes, as on hardware.",
      "",
      "local_ack_timeout_err counts requests that were sent again because no acknowledgement came"
          + " in time: 67 ms by default, in this driver and in perftest. Time in which the device"
          + " itself was late does not count. So it rises if packets are lost (soft:loss=, or a"
          + " network), or if the peer's queue pair is gone, in the error state or not connected."
          + " Between two devices on a network it also rises on a busy machine, if the peer's"
          + " device gets no processor for that long; a longer timeout of the queue pairs avoids"
          + " it.",
      "",
      "rnr_nak_retry_err and out_of_buffer count messages that found no receive."
    })
public final class StatCommand extends CliCommand {
  @Option(
      names = {"-d", "--device"},
      paramLabel = "NAME",
      description =
          "The device of a running process: its name under 'bluebell run', or socket:PATH; or a"
              + " card. Default: the one that 'bluebell run' uses.")
  private @Nullable String name;

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "SECONDS",
      description = "Time between two readings. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private double seconds;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "How many readings to print. Default: until interrupted.")
  private @Nullable Integer count;

  @Option(
      names = "--queues",
      description =
          "Instead, list the queue pairs and completion queues of each process once, as the device"
              + " sees them: state, indices, requests that were not signalled, completions that"
              + " were not polled, and whether a completion queue is armed. For an application that"
              + " waits for something that does not come.")
  private boolean queues;

  @Option(names = "--all", description = "Print counters that are 0, too.")
  private boolean all;

  @Option(names = "--json", description = "Print one JSON object for each reading.")
  private boolean json;

  private static final String SOCKET = "socket:";

  /** Begins the line before those of the queues of a process. */
  private static final String PROCESS = "process ";

  private static final double MOST_SECONDS = 86_400;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      throw wrongUsage(
          "--interval must be more than 0 seconds and at most %.0f".formatted(MOST_SECONDS));
    }
    if (count != null && count < 1) {
      throw wrongUsage("--count must be at least 1");
    }
    if (queues) {
      list(name == null ? OwnDevice.name() : OwnDevice.named(name).orElse(name));
      return ExitCode.OK;
    }
    try (Device opened = open()) {
      watch(opened);
    }
    return ExitCode.OK;
  }

  private void list(String device) throws IOException {
    if (!device.startsWith(SOCKET)) {
      throw noProcess(device);
    }
    String process = "";
    for (String line : Observation.queues(Path.of(device.substring(SOCKET.length())))) {
      if (line.startsWith(PROCESS)) {
        process = line.substring(PROCESS.length());
      }
      if (!json) {
        out().println(line.startsWith(PROCESS) ? line : "  " + line);
      } else if (!line.startsWith(PROCESS)) {
        json().write(JsonLines.object().put("process", process).put("queue", line));
      }
    }
    if (process.isEmpty() && !json) {
      out()
          .println(
              "no Java application, and none that 'bluebell run' runs, has a queue on " + device);
    }
    out().flush();
  }

  private Device open() throws IOException {
    if (name == null) {
      return DeviceOption.open(OwnDevice.name(), commandLine());
    }
    if (DeviceOption.isSoft(name)) {
      throw wrongUsage(
          "--device %s would be a new device that no application uses: name the device of a running process, as in --device socket:PATH, or leave --device out for the one that 'bluebell run' uses"
              .formatted(name));
    }
    try {
      return DeviceOption.open(name, commandLine());
    } catch (HcaException | ParameterException failure) {
      Optional<String> ofRun = OwnDevice.named(name);
      if (ofRun.isPresent()) {
        return DeviceOption.open(ofRun.get(), commandLine());
      }
      if (!name.equals(DeviceTree.NAME)) {
        throw failure instanceof ParameterException && !name.startsWith(SOCKET)
            ? noProcess(name)
            : failure;
      }
      throw new WorkFailed(
          "%s; to watch the device that 'bluebell run' names %s, leave --device out"
              .formatted(failure.getMessage(), name));
    }
  }

  private static WorkFailed noProcess(String name) {
    return new WorkFailed(
        "no device process runs that 'bluebell run' names %1$s; start an application with 'bluebell run --device %1$s=SPEC', or name a process that runs, or its socket:PATH"
            .formatted(name));
  }

  private void watch(Device device) throws InterruptedException {
    StatTable table = new StatTable(out(), all, Progress.isTerminal());
    Sample before = Sample.of(device);
    for (int look = 1; ; look++) {
      // Waits first, so that the first output has rates, too.
      TimeUnit.NANOSECONDS.sleep((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
      Sample now = Sample.of(device);
      if (json) {
        json().write(now.toJson(before));
      } else {
        table.print(now, before);
      }
      if (count != null && look == count || isOutputLost()) {
        return;
      }
      before = now;
    }
  }
}
