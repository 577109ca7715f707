package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell museum}: lists the exhibits. */
@Command(
    name = "museum",
    header = "Failures from the public record: list them, or reproduce one.",
    description = {
      "Lists failures that others reported in public after days of searching. 'bluebell museum run"
          + " NAME' reproduces one, prints what the device reports, and runs it again without the"
          + " mistake. Each has a page in docs/museum.",
      "",
      "Example: bluebell museum run nccl-2383"
    },
    subcommands = MuseumRunCommand.class)
public final class MuseumCommand extends CliCommand {
  @Option(names = "--json", description = "Print one JSON object for each line.")
  private boolean json;

  @Override
  public Integer call() {
    int width = Museum.all().stream().mapToInt(each -> each.name().length()).max().orElse(0);
    for (Exhibit exhibit : Museum.all()) {
      String title = exhibit.mishap().title();
      if (json) {
        json()
            .write(
                JsonLines.object()
                    .put("name", exhibit.name())
                    .put("title", title)
                    .put("page", exhibit.file()));
      } else {
        out().println(exhibit.name() + " ".repeat(width + 2 - exhibit.name().length()) + title);
      }
    }
    out().flush();
    return ExitCode.OK;
  }
}
