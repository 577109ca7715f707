package dev.bluebell.cli.output;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shows the progress of long work on a terminal; prints nothing into a pipe. */
public final class Progress implements AutoCloseable {
  private static final String CLEAR = "\r\033[K";

  private final PrintWriter err;
  private final boolean terminal;

  public Progress(PrintWriter err) {
    this.err = err;
    terminal = isTerminal() && isSame("/proc/self/fd/1", "/proc/self/fd/2");
  }

  /** Java knows only of the input and the output whether they are a terminal, not of the errors. */
  private static boolean isSame(String out, String err) {
    try {
      return Files.isSameFile(Path.of(out), Path.of(err));
    } catch (IOException e) {
      return false;
    }
  }

  /** True if this process has a terminal. */
  public static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Replaces the text shown before. */
  public void show(String what) {
    if (terminal) {
      err.print(CLEAR + what);
      err.flush();
    }
  }

  /** Removes the text. */
  @Override
  public void close() {
    show("");
  }
}
