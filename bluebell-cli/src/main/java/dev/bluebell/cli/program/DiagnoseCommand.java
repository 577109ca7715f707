package dev.bluebell.cli.program;

import dev.bluebell.cli.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program diagnose}: prints why requests of a program were refused. */
@Command(
    name = "diagnose",
    header = "What the device reports about an installed program.",
    description =
        "Prints why requests of the program were refused, and the tables of its objects. Needs the"
            + " owner's token.")
final class DiagnoseCommand extends CliCommand {
  @Mixin private ResidentOption resident = new ResidentOption();

  @Option(
      names = "--token",
      paramLabel = "HEX",
      required = true,
      converter = OwnerToken.class,
      description =
          "The owner's token, which 'bluebell program install' prints and Device.handOver returns.")
  private long token;

  @Override
  public Integer call() {
    try (Residence residence = resident.open()) {
      residence.residents().diagnose(resident.name(), token).forEach(out()::println);
    }
    out().flush();
    return ExitCode.OK;
  }
}
