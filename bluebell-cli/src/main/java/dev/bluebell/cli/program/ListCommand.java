package dev.bluebell.cli.program;

import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell program list}. */
@Command(
    name = "list",
    header = "The programs that there are, with a sentence each.",
    description = "Lists the programs that there are, with a sentence each.")
final class ListCommand extends CliCommand {
  @Option(names = "--json", description = "Print one JSON object for each program.")
  private boolean json;

  @Override
  public Integer call() {
    int width = Offloads.all().stream().mapToInt(each -> each.name().length()).max().orElse(0);
    for (Offload offload : Offloads.all()) {
      if (json) {
        json()
            .write(
                JsonLines.object().put("name", offload.name()).put("sentence", offload.sentence()));
      } else {
        out()
            .println(
                offload.name()
                    + " ".repeat(width + 2 - offload.name().length())
                    + offload.sentence());
      }
    }
    out().flush();
    return ExitCode.OK;
  }
}
