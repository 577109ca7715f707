package dev.bluebell.cli.command;

import dev.bluebell.hca.text.FileErrors;
import dev.bluebell.hca.text.Names;
import dev.bluebell.hca.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports failures: one sentence each, and a stack trace only with {@code --verbose}. */
public final class ErrorReport {
  private static final String SOCKET = "--socket";

  private ErrorReport() {}

  /** Reports wrong usage. */
  public static int wrongUsage(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    print(command, failure);
    command
        .getErr()
        .println(
            "Try '%s --help' for more information."
                .formatted(command.getCommandSpec().qualifiedName()));
    return ExitCode.USAGE;
  }

  /** Reports that the work failed. */
  public static int failure(Exception failure, CommandLine command, ParseResult parsed) {
    print(command, failure);
    return failure instanceof ParameterException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** Reports that memory ran out, with the JVM option that raises the limit. */
  public static int outOfMemory(OutOfMemoryError failure, CommandLine command) {
    String why = String.valueOf(failure.getMessage());
    print(
        command,
        "out of memory (%s): raise the limit, as in BLUEBELL_JAVA_OPTS=%s, or request less"
            .formatted(why, why.contains("direct") ? "-XX:MaxDirectMemorySize=8g" : "-Xmx4g"));
    return ExitCode.SOFTWARE;
  }

  private static void print(CommandLine command, Exception failure) {
    print(command, sentence(failure));
    if (isVerbose(command)) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      command.getErr().print(Printable.lines(trace.toString()));
    }
  }

  // A sentence may quote the input.
  static void print(CommandLine command, String sentence) {
    command
        .getErr()
        .println(command.getCommandSpec().root().name() + ": " + Printable.lines(sentence));
  }

  private static String sentence(Exception failure) {
    if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException why) {
      return sentence(why);
    }
    // The message of this exception is only the path.
    if (failure instanceof FileSystemException file && file.getFile() != null) {
      return "%s: %s".formatted(file.getFile(), FileErrors.reason(file));
    }
    if (failure instanceof UnmatchedArgumentException unknown) {
      return sentence(unknown);
    }
    String message = failure.getMessage();
    // picocli begins some of its messages with this prefix.
    return message == null ? failure.toString() : message.replaceFirst("^Error: ", "");
  }

  private static String sentence(UnmatchedArgumentException failure) {
    CommandLine command = failure.getCommandLine();
    String word = failure.getUnmatched().getFirst();
    boolean isOption = word.startsWith("-");
    List<String> names =
        List.copyOf(
            isOption
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet());
    if (!isOption && names.isEmpty()) {
      return "unexpected argument '%s'".formatted(word);
    }
    String hint =
        isSocket(word) && names.contains("--device")
            ? "; name the device process with --device socket:" + socket(failure.getUnmatched())
            : guess(word, names);
    return "there is no %s '%s'%s".formatted(isOption ? "option" : "command", word, hint);
  }

  // 'run' and 'serve' have this option; other commands take any device.
  private static boolean isSocket(String word) {
    return word.equals(SOCKET) || word.startsWith(SOCKET + "=");
  }

  private static String socket(List<String> unmatched) {
    String word = unmatched.getFirst();
    String path =
        word.length() > SOCKET.length()
            ? word.substring(SOCKET.length() + 1)
            : unmatched.size() > 1 ? unmatched.get(1) : "";
    return path.isEmpty() || path.startsWith("-") ? "PATH" : path;
  }

  /** A hint at a similar word for the end of a sentence; empty if no word is similar. */
  static String guess(String word, List<String> names) {
    return Names.meant(word, names).map("; did you mean '%s'?"::formatted).orElse("");
  }

  private static boolean isVerbose(CommandLine command) {
    return command.getCommandSpec().root().userObject() instanceof RootCommand all
        && all.wantsDetails();
  }
}
