package dev.bluebell.cli.command;

import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root of all subcommands, which does nothing by itself. */
public abstract class RootCommand extends CliCommand {
  @Option(
      names = "--verbose",
      description = "Print details, and the stack trace of a failure.",
      scope = ScopeType.INHERIT)
  private boolean verbose;

  /** For subclasses. */
  protected RootCommand() {}

  boolean wantsDetails() {
    return verbose;
  }

  @Override
  public final Integer call() {
    return withoutCommand();
  }
}
