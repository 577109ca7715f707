package dev.bluebell.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs a command line: 0 success, 1 the work failed, 2 wrong usage. */
public final class CommandLines {
  /** The file type bits of a mode, and their values for pipes and sockets ({@code inode(7)}). */
  private static final int FILE_TYPE = 0170000;

  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private CommandLines() {}

  /** A root command with its subcommands and {@code help}. */
  public static CommandLine of(RootCommand root, List<Class<? extends CliCommand>> subcommands) {
    CommandLine command = new CommandLine(root);
    subcommands.forEach(command::addSubcommand);
    command
        .addSubcommand("help", new HelpCommand())
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(ErrorReport::wrongUsage)
        .setExecutionExceptionHandler(ErrorReport::failure);
    readWords(command);
    command.getSubcommands().values().forEach(CommandLines::leaveApplicationAlone);
    return command;
  }

  private static void leaveApplicationAlone(CommandLine command) {
    if (command.getCommand() instanceof CliCommand called && called.runsApplication()) {
      command.setStopAtPositional(true);
    }
  }

  /** Lets options of an enum type accept the words of the enum. */
  private static void readWords(CommandLine command) {
    for (ArgSpec option : command.getCommandSpec().args()) {
      if (option.type().isEnum()) {
        readWords(command, option.type());
      }
    }
    command.getSubcommands().values().forEach(CommandLines::readWords);
  }

  private static <E> void readWords(CommandLine command, Class<E> type) {
    command.registerConverter(type, new WordConverter<>(type));
  }

  /**
   * Runs a command, and checks that its output could be written. It is no failure when a process
   * that reads the output, such as {@code head}, ends first.
   *
   * @return the exit code
   */
  public static int run(CommandLine command, String... args) {
    int code = execute(command, args);
    if (isOutputLost(command) && code == ExitCode.OK && !isPipeClosed()) {
      ErrorReport.print(
          command,
          "the output can't be written: the disk is full, or the process that reads it has ended");
      return ExitCode.SOFTWARE;
    }
    return code;
  }

  /** True if some of a command's output could not be written; flushes the output first. */
  static boolean isOutputLost(CommandLine command) {
    // A PrintStream throws no errors, so a writer on top of System.out does not notice them.
    return command.getOut().checkError() || System.out.checkError();
  }

  /** True if a write to standard output failed, and it is a pipe or a socket, not a file. */
  private static boolean isPipeClosed() {
    try {
      int mode = (Integer) Files.getAttribute(Path.of("/proc/self/fd/1"), "unix:mode");
      int type = mode & FILE_TYPE;
      return System.out.checkError() && (type == PIPE || type == SOCKET);
    } catch (IOException e) {
      return false;
    }
  }

  private static int execute(CommandLine command, String... args) {
    Optional<String> unknown = args.length > 1 ? unknown(command, args) : Optional.empty();
    if (unknown.isPresent()) {
      return ErrorReport.wrongUsage(
          new UnmatchedArgumentException(command, List.of(unknown.get())), args);
    }
    try {
      return command.execute(args);
    } catch (OutOfMemoryError e) {
      return ErrorReport.outOfMemory(e, command);
    }
  }

  /** A word that picocli's help would ignore: the command, or an option of help. */
  private static Optional<String> unknown(CommandLine command, String... args) {
    if (!args[0].startsWith("-") && !command.getSubcommands().containsKey(args[0])) {
      return Optional.of(args[0]);
    }
    boolean isKnown =
        command.getCommandSpec().optionsMap().containsKey(args[1]) || !args[1].startsWith("-");
    return args[0].equals("help") && !isKnown ? Optional.of(args[1]) : Optional.empty();
  }
}
