package dev.bluebell.cli.manual;

import dev.bluebell.cli.command.CliCommand;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code bluebell completion}: prints completion scripts for shells. */
@Command(
    name = "completion",
    header = "Print completion scripts for bash and zsh.",
    description = {
      "To use it at once: source <(bluebell completion)",
      "In zsh, run this first: autoload -U +X bashcompinit && bashcompinit"
    })
public final class CompletionCommand extends CliCommand {
  @Override
  public Integer call() {
    out().print(AutoComplete.bash("bluebell", commandLine().getParent()));
    out().flush();
    return 0;
  }
}
