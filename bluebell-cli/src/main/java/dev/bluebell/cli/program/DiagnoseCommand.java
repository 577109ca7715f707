package dev.bluebell.cli.program;

import dev.bluebell.cli.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell program diagnose}. */
@Command(
    name = "diagnose",
    header = "What the device tells of a program that was left on it.",
    description =
        "Prints why requests of the program were refused, and the tables of its objects. Only its"
            + " owner gets this, who has the token.")
final class DiagnoseCommand extends CliCommand {
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

  @Option(
      names = "--token",
      paramLabel = "HEX",
      required = true,
      converter = OwnerToken.class,
      description = "The owner's: 'bluebell program install' and Device.handOver give it.")
  private long token;

  @Override
  public Integer call() {
    try (Residence residence = new Residence(device)) {
      residence.residents().diagnose(resident, token).forEach(out()::println);
    }
    out().flush();
    return ExitCode.OK;
  }
}
