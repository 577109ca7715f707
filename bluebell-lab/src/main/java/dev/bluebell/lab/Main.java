package dev.bluebell.lab;

import dev.bluebell.cli.command.CommandLines;
import dev.bluebell.cli.command.RootCommand;
import dev.bluebell.lab.compare.CompareCommand;
import dev.bluebell.lab.litmus.LitmusCommand;
import dev.bluebell.lab.paper.PaperCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/**
 * Entry point of {@code tools/lab}. Its experiments run from a clone of the sources and are never
 * published.
 */
public final class Main {
  private Main() {}

  /** Runs a command and exits: 0 success, 1 failure, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(CommandLines.run(commandLine(), args));
  }

  /** The command with all its subcommands. */
  static CommandLine commandLine() {
    return CommandLines.of(
        new LabCommand(), List.of(PaperCommand.class, CompareCommand.class, LitmusCommand.class));
  }

  @Command(
      name = "lab",
      description =
          "Bluebell's laboratory: reproduces a paper, compares NIC programs, and runs litmus"
              + " tests.",
      mixinStandardHelpOptions = true,
      scope = ScopeType.INHERIT,
      sortOptions = false,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:good", "1:the work failed", "2:wrong usage"})
  private static final class LabCommand extends RootCommand {}
}
