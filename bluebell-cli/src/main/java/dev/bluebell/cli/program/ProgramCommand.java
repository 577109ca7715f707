package dev.bluebell.cli.program;

import dev.bluebell.cli.command.CliCommand;
import picocli.CommandLine.Command;

/** {@code bluebell program}: the parent of all commands for NIC programs. */
@Command(
    name = "program",
    header = "Compile, prove, run and install services that run on the NIC.",
    description = {
      "Services that are chains of work queue entries and need no processor of the host: lists"
          + " them, explains how they are compiled and what they cost, proves them, and runs them.",
      "",
      "Example: bluebell program run list-walk --unchecked --adversary 7"
    },
    subcommands = {
      ListCommand.class,
      ExplainCommand.class,
      VerifyCommand.class,
      RunCommand.class,
      InstallCommand.class,
      CallCommand.class,
      DiagnoseCommand.class,
      RemoveCommand.class
    })
public final class ProgramCommand extends CliCommand {
  @Override
  public Integer call() {
    return withoutCommand();
  }
}
