package dev.bluebell.examples.shared;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Latencies as rows of a table, in microseconds. */
public final class Percentiles {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double[] SHOWN = {50, 90, 99, 99.9, 100};

  private Percentiles() {}

  /** The head of the table. */
  public static String head() {
    return """
    | µs | 50 % | 90 % | 99 % | 99.9 % | longest |
    |---|---|---|---|---|---|\
    """;
  }

  /** A row. */
  public static String row(String what, Histogram nanos) {
    StringBuilder row = new StringBuilder("| ").append(what).append(" |");
    for (double percentile : SHOWN) {
      row.append(
          String.format(
              Locale.ROOT, " %.1f |", nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO));
    }
    return row.toString();
  }
}
