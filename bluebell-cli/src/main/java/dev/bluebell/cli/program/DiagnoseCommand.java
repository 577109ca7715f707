package dev.bluebell.cli.program;

import dev.bluebell.cli.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program diagnose}: prints why requests of a program were refused. */
@Command(
    name = "diagnose",
    header = "What the device tells of a program that was left on it.",
    description =
        "Prints why requests of the program were refused, and the tables of its objects. Only its"
            + " owner gets this, who has the token.")
final class DiagnoseCommand extends CliCommand {
  @Mixin private ResidentOption resident = new ResidentOption();

  @Option(
      names = "--token",
      paramLabel = "HEX",
      required = true,
      converter = OwnerToken.class,
      description = "The owner's: 'bluebell program install' and Device.handOver give it.")
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
