package dev.bluebell.cli.device;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.cli.output.Wrap;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell doctor}: what this machine has. */
@Command(
    name = "doctor",
    header = "What this machine has, and what is missing.",
    description =
        "Looks at the machine and tries the device; tells what to do where something is missing.")
public final class DoctorCommand extends CliCommand {
  private static final int WIDTH = 90;

  @Option(names = "--json", description = "Print one JSON object for each line.")
  private boolean json;

  @Override
  public Integer call() {
    boolean healthy = true;
    for (Examination examination : Examination.all()) {
      healthy &= !examination.verdict().equals(Examination.Verdict.MISSING);
      if (json) {
        json()
            .write(
                JsonLines.object()
                    .put("subject", examination.subject())
                    .put("verdict", examination.verdict().name())
                    .put("found", examination.found())
                    .put("remedy", examination.remedy()));
      } else {
        print(examination);
      }
    }
    out().flush();
    return healthy ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void print(Examination examination) {
    String verdict =
        switch (examination.verdict()) {
          case GOOD -> Style.good("ok     ");
          case NOTE -> "note   ";
          case MISSING -> Style.bad("MISSING");
        };
    out().println("%s  %-15s %s".formatted(verdict, examination.subject(), examination.found()));
    if (!examination.remedy().isEmpty()) {
      out().println(Wrap.wrap(examination.remedy(), " ".repeat(25), WIDTH));
    }
  }
}
