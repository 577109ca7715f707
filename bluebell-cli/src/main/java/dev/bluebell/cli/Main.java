package dev.bluebell.cli;

import dev.bluebell.cli.command.CommandLines;
import picocli.CommandLine;

/** The entry point of the {@code bluebell} command. */
public final class Main {
  private Main() {}

  /** Runs a command and exits: 0 success, 1 the work failed, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(CommandLines.run(commandLineFor(args), args));
  }

  /** The command with all its subcommands. */
  public static CommandLine commandLine() {
    return CommandLines.of(new BluebellCommand(), BluebellCommand.all());
  }

  /** The command with the subcommands that a command line needs. */
  static CommandLine commandLineFor(String... args) {
    return CommandLines.of(new BluebellCommand(), BluebellCommand.neededBy(args));
  }
}
