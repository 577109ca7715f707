package dev.bluebell.cli.command;

import dev.bluebell.cli.output.JsonLines;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of all commands: output streams, and errors for wrong usage. */
public abstract class CliCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /** For subclasses. */
  protected CliCommand() {}

  /** True if its parameters are an application and arguments that belong to it alone. */
  protected boolean runsApplication() {
    return false;
  }

  /** The command as it was called. */
  protected final CommandLine commandLine() {
    return Objects.requireNonNull(spec).commandLine();
  }

  /** Standard output. */
  protected final PrintWriter out() {
    return commandLine().getOut();
  }

  /**
   * True if some of the output could not be written; flushes it first. A command that prints until
   * it is interrupted ends then: the JVM ignores SIGPIPE, which ends other processes.
   */
  protected final boolean isOutputLost() {
    return CommandLines.isOutputLost(commandLine());
  }

  /** Standard error. */
  protected final PrintWriter err() {
    return commandLine().getErr();
  }

  /** Standard output for JSON. */
  protected final JsonLines json() {
    return new JsonLines(out());
  }

  /** Name and version of this command. */
  protected final String version() {
    return commandLine().getCommandSpec().root().version()[0];
  }

  /** Prints the subcommands of a command that does nothing without one; returns exit code 2. */
  protected final int withoutCommand() {
    ErrorReport.print(commandLine(), "a command is missing");
    err().println();
    commandLine().usage(err());
    return ExitCode.USAGE;
  }

  /**
   * Checks that the outputs of the command are different files; devices such as /dev/null may be
   * named several times.
   *
   * @param files null where an output was not asked for
   */
  protected final void requireDifferent(@Nullable Path... files) {
    Set<Path> seen = new HashSet<>();
    for (Path file : files) {
      if (file != null
          && !seen.add(file.toAbsolutePath().normalize())
          && (Files.isRegularFile(file) || !Files.exists(file))) {
        throw wrongUsage("two outputs would be written to %s: name two files".formatted(file));
      }
    }
  }

  /** The exception for options and parameters that contradict each other: exit code 2. */
  protected final ParameterException wrongUsage(String sentence) {
    return new ParameterException(commandLine(), sentence);
  }
}
