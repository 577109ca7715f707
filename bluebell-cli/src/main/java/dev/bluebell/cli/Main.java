package dev.bluebell.cli;

import dev.bluebell.cli.command.CommandLines;
import java.util.Locale;
import picocli.CommandLine;

/** The entry point of the {@code bluebell} command. */
public final class Main {
  private Main() {}

  /** Runs a command and exits: 0 success, 1 the work failed, 2 wrong usage. */
  public static void main(String[] args) {
    // Scripts parse the output, so numbers have decimal points in any locale.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
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
