package dev.bluebell.lab.paper;

import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure of the paper, and what virtual time makes of it.
 *
 * @param name as its table says it
 * @param unit of all values
 * @param paper the paper's value
 * @param constants that the prediction depends on
 * @param predicted executes what the paper measured
 * @param added what it is more with the paper's own READs in place of the predicted ones; null
 *     where there is no READ to replace
 * @param taken whether a constant was taken from this figure, so that it agrees anyway
 */
public record Figure(
    String name,
    String unit,
    double paper,
    Set<Constant> constants,
    ToDoubleFunction<Timing> predicted,
    @Nullable ToDoubleFunction<Timing> added,
    boolean taken) {

  /** A figure without READs of the paper's. */
  static Figure plain(
      String name,
      String unit,
      double paper,
      Set<Constant> constants,
      ToDoubleFunction<Timing> predicted) {
    return new Figure(name, unit, paper, constants, predicted, null, false);
  }

  /** The same, from which a constant was taken. */
  Figure source() {
    return new Figure(name, unit, paper, constants, predicted, added, true);
  }
}
