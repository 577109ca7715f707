package dev.bluebell.softnic.timing;

import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.Timing;
import dev.bluebell.softnic.Timing.Constant;
import dev.bluebell.softnic.rig.Rig;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A figure of the paper and what virtual time makes of it.
 *
 * @param name as the table says it
 * @param unit of both values
 * @param paper the paper's value
 * @param constants that the prediction depends on
 * @param predicted executes what the paper measured
 */
record Figure(
    String name, String unit, double paper, Set<Constant> constants, Prediction predicted) {

  /** Executes something on a device and says what it took. */
  interface Prediction {
    double on(Rig rig);
  }

  double predict(Timing timing) {
    try (Rig rig = Rigs.open(timing)) {
      return predicted.on(rig);
    }
  }

  double ratio(Timing timing) {
    return predict(timing) / paper;
  }

  /** A row of the table in {@code docs/nic-programs.md}. */
  String row(Timing timing) {
    double value = predict(timing);
    return String.format(
        Locale.ROOT,
        "| %s | %s %s | %s | %.2f | %s |",
        name,
        text(paper),
        unit,
        text(value),
        value / paper,
        constants.stream().sorted().map(Enum::name).collect(Collectors.joining(", ")));
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.3f" : value < 10 ? "%.2f" : "%.1f", value);
  }
}
