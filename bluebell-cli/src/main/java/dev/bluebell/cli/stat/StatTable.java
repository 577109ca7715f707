package dev.bluebell.cli.stat;

import dev.bluebell.cli.output.Style;
import dev.bluebell.hca.counter.PortCounter;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Counters as a table; on a terminal, it replaces the previous one. Elsewhere, a second table
 * without counters is one line.
 */
final class StatTable {
  /** Moves the cursor up, and clears the screen below it. */
  private static final String BACK = "\033[%dA\033[J";

  private final PrintWriter out;
  private final boolean all;
  private final boolean replaces;
  private int lines;
  private boolean isIdle;

  StatTable(PrintWriter out, boolean all, boolean replaces) {
    this.out = out;
    this.all = all;
    this.replaces = replaces;
  }

  void print(Sample sample, Sample before) {
    boolean wasIdle = isIdle;
    isIdle = !all && sample.isZero();
    if (isIdle && wasIdle && !replaces) {
      // Written each time, because only a write shows that the reader has closed the pipe.
      out.println("All counters are still 0.");
      out.flush();
      return;
    }
    if (replaces && lines > 0) {
      out.print(BACK.formatted(lines));
    }
    lines = 0;
    line(Style.heading("%-28s %20s %16s".formatted("counter", "total", "per second")));
    for (PortCounter counter : PortCounter.values()) {
      if (all || sample.value(counter) != 0) {
        String value = Long.toUnsignedString(sample.value(counter));
        line(
            String.format(
                Locale.ROOT,
                "%-28s %20s %16.0f",
                counter.fileName(),
                value,
                sample.rate(counter, before)));
      }
    }
    if (isIdle) {
      line("All counters are 0: no message went through this device since it was opened.");
    }
    if (!replaces) {
      out.println();
    }
    out.flush();
  }

  private void line(String text) {
    out.println(text);
    lines++;
  }
}
