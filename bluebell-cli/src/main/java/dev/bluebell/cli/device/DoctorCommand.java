package dev.bluebell.cli.device;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.cli.output.Wrap;
import dev.bluebell.verbs.Device;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell doctor}: checks this machine. */
@Command(
    name = "doctor",
    header = "What this machine has, and what is missing.",
    description = {
      "Examines the machine, tries the devices, and says what to do if something is missing.",
      "ok: nothing to do. note: works, but could be better. MISSING: something does not work"
          + " without it. unknown: this process cannot find out. The exit code is 1 if something is"
          + " MISSING."
    })
public final class DoctorCommand extends CliCommand {
  private static final int WIDTH = 100;

  @Option(names = "--json", description = "Print one JSON object for each line.")
  private boolean json;

  @Override
  public Integer call() {
    Map<String, List<Examination>> sections = new LinkedHashMap<>();
    sections.put("The software ConnectX", Examination.ofProcess());
    sections.put("rdma-core applications (bluebell run)", ProgramExaminations.all(Machine.OWN));
    sections.put("Cards", CardExaminations.all(Machine.OWN, name -> Device.open(name).close()));
    sections.forEach(json ? this::write : this::print);
    out().flush();
    return sections.values().stream()
            .flatMap(List::stream)
            .anyMatch(examination -> examination.verdict() == Verdict.MISSING)
        ? ExitCode.SOFTWARE
        : ExitCode.OK;
  }

  private void write(String section, List<Examination> examinations) {
    for (Examination examination : examinations) {
      json()
          .write(
              JsonLines.object()
                  .put("section", section)
                  .put("subject", examination.subject())
                  .put("verdict", examination.verdict().name())
                  .put("found", examination.found())
                  .put("remedy", examination.remedy()));
    }
  }

  private void print(String section, List<Examination> examinations) {
    out().println(Style.heading(section));
    examinations.forEach(this::print);
  }

  private void print(Examination examination) {
    String verdict =
        switch (examination.verdict()) {
          case GOOD -> Style.good("ok     ");
          case NOTE -> "note   ";
          case MISSING -> Style.bad("MISSING");
          case UNKNOWN -> "unknown";
        };
    String head = "  %s  %-17s ".formatted(verdict, examination.subject());
    String indent = " ".repeat(29);
    out().println(head + Wrap.wrap(examination.found(), indent, WIDTH).strip());
    if (!examination.remedy().isEmpty()) {
      out().println(Wrap.wrap(examination.remedy(), indent, WIDTH));
    }
  }
}
