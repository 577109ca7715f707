package dev.bluebell.cli.output;

import java.io.Console;
import java.io.PrintWriter;

/** Tells a person at a terminal what takes long; says nothing in a pipe. */
public final class Progress implements AutoCloseable {
  private static final String CLEAR = "\r\033[K";

  private final PrintWriter err;
  private final boolean terminal;

  public Progress(PrintWriter err) {
    this.err = err;
    Console console = System.console();
    terminal = console != null && console.isTerminal();
  }

  /** Replaces what was shown before. */
  public void show(String what) {
    if (terminal) {
      err.print(CLEAR + what);
      err.flush();
    }
  }

  /** Removes what was shown. */
  @Override
  public void close() {
    show("");
  }
}
