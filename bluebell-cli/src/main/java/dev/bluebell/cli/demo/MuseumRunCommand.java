package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell museum run}: runs exhibits. */
@Command(
    name = "run",
    header = "Reproduce a failure, and run it again without the mistake.",
    description = {
      "Reproduces a failure of 'bluebell museum' on a software ConnectX of its own, prints the"
          + " symptom as it was reported and what the device reports, and runs it again without the"
          + " mistake.",
      "",
      "With --device, it runs on another device. Exhibits that need an option of the software"
          + " ConnectX are skipped there, and a card explains less.",
      "",
      "The exit code is 1 if an exhibit does not fail as reported, is not explained, or fails when"
          + " fixed."
    })
final class MuseumRunCommand extends CliCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The failure, as 'bluebell museum' lists it.")
  private @Nullable String name;

  @Option(names = "--all", description = "Run all of them.")
  private boolean all;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description = "Run on this device. Default: a software ConnectX for each run.")
  private @Nullable String device;

  @Option(names = "--json", description = "Print one JSON object for each failure.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    DemoReport report = json ? new JsonDemoReport(json()) : new TextDemoReport(out());
    for (Exhibit exhibit : chosen()) {
      try {
        report.add(exhibit.run(scenes()));
      } catch (NeedsSoftware e) {
        report.skip(exhibit, String.valueOf(e.getMessage()));
      }
    }
    return report.end() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Supplier<Scene> scenes() {
    String named = device;
    return named == null ? Scene::new : () -> new Scene(DeviceOption.openHca(named, commandLine()));
  }

  private List<Exhibit> chosen() {
    if (all == (name != null)) {
      throw wrongUsage("give the NAME of a failure, or --all: 'bluebell museum' lists them");
    }
    List<Exhibit> chosen =
        Museum.all().stream().filter(each -> all || each.name().equals(name)).toList();
    if (chosen.isEmpty()) {
      throw wrongUsage(
          "there is no failure %s in the museum: 'bluebell museum' lists them".formatted(name));
    }
    return chosen;
  }
}
