package dev.bluebell.cli.program;

import dev.bluebell.cli.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell program remove}. */
@Command(
    name = "remove",
    header = "Remove a program that was handed over to a device process.",
    description =
        "Destroys the queues and the memory that a process handed over to a device process"
            + " (Device.handOver). Clients that are connected to them find nobody there.")
final class RemoveCommand extends CliCommand {
  @Parameters(
      paramLabel = "RESIDENT",
      description = "Its name: 'bluebell program list --device socket:PATH' has all.")
  private String resident = "";

  @Option(
      names = {"-d", "--device"},
      paramLabel = "socket:PATH",
      required = true,
      description = "The device of 'bluebell serve'.")
  private String device = "";

  @Override
  public Integer call() {
    try (Residence residence = new Residence(device)) {
      residence.residents().remove(resident);
    }
    return ExitCode.OK;
  }
}
