package dev.bluebell.cli.output;

import java.util.Locale;

/** Numbers in a readable form. */
public final class Units {
  private static final double MICROSECOND = 1e3;
  private static final double MILLISECOND = 1e6;
  private static final double SECOND = 1e9;

  private Units() {}

  /** A duration with the unit that fits, such as {@code 12.3 us}. */
  public static String duration(long nanos) {
    if (nanos < MILLISECOND) {
      return String.format(Locale.ROOT, "%.1f us", nanos / MICROSECOND);
    }
    return nanos < SECOND
        ? String.format(Locale.ROOT, "%.1f ms", nanos / MILLISECOND)
        : String.format(Locale.ROOT, "%.2f s", nanos / SECOND);
  }
}
