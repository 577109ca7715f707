package dev.bluebell.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells of failures: one sentence each, with a stack trace only when it was asked for. */
final class ErrorReport {
  private ErrorReport() {}

  static int wrongUsage(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    print(command, failure);
    boolean unused = UnmatchedArgumentException.printSuggestions(failure, command.getErr());
    command
        .getErr()
        .println(
            "Try '%s --help' for what it takes."
                .formatted(command.getCommandSpec().qualifiedName()));
    return ExitCode.USAGE;
  }

  static int failure(Exception failure, CommandLine command, ParseResult parsed) {
    print(command, failure);
    if (failure instanceof ParameterException) {
      return ExitCode.USAGE;
    }
    return ExitCode.SOFTWARE;
  }

  /** The JVM's limits, by the options that raise them. */
  static int outOfMemory(OutOfMemoryError failure, CommandLine command) {
    String why = String.valueOf(failure.getMessage());
    command
        .getErr()
        .println(
            "bluebell: there is not enough memory (%s): set BLUEBELL_JAVA_OPTS=%s with more, or ask for less"
                .formatted(why, why.contains("direct") ? "-XX:MaxDirectMemorySize=8g" : "-Xmx4g"));
    return ExitCode.SOFTWARE;
  }

  private static void print(CommandLine command, Exception failure) {
    command.getErr().println("bluebell: " + sentence(failure));
    if (isVerbose(command)) {
      failure.printStackTrace(command.getErr());
    }
  }

  private static String sentence(Exception failure) {
    if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException why) {
      return sentence(why);
    }
    // Their messages are no more than the path.
    String path = failure instanceof FileSystemException file ? file.getFile() : null;
    if (path != null) {
      return "%s: %s".formatted(path, reason((FileSystemException) failure));
    }
    String message = failure.getMessage();
    // picocli begins some of its messages so.
    return message == null ? failure.toString() : message.replaceFirst("^Error: ", "");
  }

  private static String reason(FileSystemException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file or folder";
      case AccessDeniedException _ -> "you have no right to it";
      case FileAlreadyExistsException _ -> "it is there already";
      case NotDirectoryException _ -> "it is no folder";
      default ->
          failure.getReason() == null ? failure.getClass().getSimpleName() : failure.getReason();
    };
  }

  static boolean isVerbose(CommandLine command) {
    CommandLine root = command;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return root.getCommand() instanceof BluebellCommand bluebell && bluebell.wantsDetails();
  }
}
