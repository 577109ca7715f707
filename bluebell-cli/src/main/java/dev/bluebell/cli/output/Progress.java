package dev.bluebell.cli.output;

import java.io.Console;
import java.io.PrintWriter;

/** Shows the progress of long work on a terminal; prints nothing into a pipe. */
public final class Progress implements AutoCloseable {
  private static final String CLEAR = "\r\033[K";

  private final PrintWriter err;
  private final boolean terminal;

  public Progress(PrintWriter err) {
    this.err = err;
    terminal = isTerminal();
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
