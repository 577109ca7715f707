package dev.bluebell.cli.sources;

import dev.bluebell.cli.command.CliCommand;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Unmatched;

/**
 * A command that the script {@code ./bluebell} executes before any Java runs. The class only
 * provides its help page, its completion and its section of the man page.
 */
abstract class SourcesCommand extends CliCommand {
  /** Options and arguments, which only the script reads. */
  @Unmatched private final List<String> words = new ArrayList<>();

  @Override
  public final Integer call() {
    throw wrongUsage(
        "'%s' works only as ./bluebell in a clone of the sources, not in an installed Bluebell"
            .formatted(
                String.join(" ", commandLine().getCommandName(), String.join(" ", words)).strip()));
  }
}
