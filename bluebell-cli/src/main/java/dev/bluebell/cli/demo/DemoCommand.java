package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.verbs.Device;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell demo}: runs the tour. */
@Command(
    name = "demo",
    header = "The tour of the main features, or of typical mistakes.",
    description = {
      "Shows the main features on the software ConnectX, one step each: what ran, whether the data"
          + " was right, how much data it moved and how long it took, without warm-up.",
      "",
      "With --failures, shows common mistakes: the wrong bytes, what each side sees,"
          + " and how the driver and the device explain it. Each has a page in docs/failures."
    })
public final class DemoCommand extends CliCommand {
  @Option(names = "--failures", description = "Show every failure instead.")
  private boolean failures;

  @Option(
      names = "--only",
      paramLabel = "PAGE",
      description = "With --failures: show only the failure of this page in docs/failures.")
  private @Nullable String only;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "NAME",
      description =
          "Show the tour on this device, such as mlx5_0 or socket:PATH. Default: soft. Steps that"
              + " need options of the software ConnectX are skipped on others.")
  private @Nullable String device;

  @Option(names = "--json", description = "Print one JSON object for each line.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (only != null && !failures) {
      throw wrongUsage("--only names a failure: give --failures, too");
    }
    if (device != null && failures) {
      throw wrongUsage(
          "the failures need software devices with options of their own: leave --device out, or"
              + " try 'bluebell museum run --all --device %s'".formatted(device));
    }
    DemoReport report = json ? new JsonDemoReport(json()) : new TextDemoReport(out());
    if (failures) {
      for (Mishap mishap : chosen()) {
        report.add(mishap.run());
      }
    } else {
      showTour(report);
    }
    return report.end() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void showTour(DemoReport report) throws InterruptedException {
    try (Device open = DeviceOption.open(device == null ? "soft" : device, commandLine())) {
      Stage stage = new Stage(open);
      for (Step step : Tour.steps()) {
        try {
          report.add(StepResult.of(step, stage));
        } catch (NeedsSoftware e) {
          report.skip(step, String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private List<Mishap> chosen() {
    List<Mishap> all = Mishaps.all();
    if (only == null) {
      return all;
    }
    List<Mishap> chosen = all.stream().filter(mishap -> mishap.page().equals(only)).toList();
    if (chosen.isEmpty()) {
      throw wrongUsage(
          "there is no failure %s: the names are those of the pages in docs/failures"
              .formatted(only));
    }
    return chosen;
  }
}
