package dev.bluebell.cli.manual;

import dev.bluebell.cli.command.CliCommand;
import picocli.CommandLine.Command;

/** {@code bluebell manual}: prints the man page. */
@Command(
    name = "manual",
    header = "Print the man page of all commands, in roff.",
    description = "To read it: bluebell manual | man -l -")
public final class ManualCommand extends CliCommand {
  @Override
  public Integer call() {
    out().print(ManualPage.of(commandLine().getParent()));
    out().flush();
    return 0;
  }
}
