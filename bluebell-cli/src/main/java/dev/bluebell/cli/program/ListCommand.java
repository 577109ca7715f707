package dev.bluebell.cli.program;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell program list}. */
@Command(
    name = "list",
    header = "List the programs, with a sentence about each.",
    description = {
      "Lists the programs, with a sentence about each.",
      "",
      "With --device, lists what processes handed over to a device process (Device.handOver): name,"
          + " process, objects of the device and bytes of memory."
    })
final class ListCommand extends CliCommand {
  @Option(names = "--json", description = "Print one JSON object for each program.")
  private boolean json;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "socket:PATH",
      description = "List what was handed over to the device of 'bluebell serve' instead.")
  private @Nullable String device;

  @Override
  public Integer call() {
    if (device == null) {
      listOffloads();
    } else {
      try (Residence residence = new Residence(device, commandLine())) {
        residence.residents().list().forEach(this::print);
      }
    }
    out().flush();
    return ExitCode.OK;
  }

  private void print(HcaResidents.Resident resident) {
    if (json) {
      json()
          .write(
              JsonLines.object()
                  .put("name", resident.name())
                  .put("pid", resident.pid())
                  .put("objects", resident.objects())
                  .put("bytes", resident.bytes()));
    } else {
      out()
          .println(
              "%s  of process %d  %d objects  %d bytes"
                  .formatted(
                      resident.name(), resident.pid(), resident.objects(), resident.bytes()));
    }
  }

  private void listOffloads() {
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
  }
}
