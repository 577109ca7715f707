package dev.bluebell.lab.paper;

import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure of the paper, and its prediction by virtual time.
 *
 * @param name name in its table
 * @param unit of all values
 * @param paper the paper's value
 * @param constants constants that the prediction depends on
 * @param predicted predicts the value by executing what the paper measured
 * @param added increase of the prediction when the paper's own READs replace the predicted ones;
 *     null when there is no READ to replace
 * @param fitted true when a constant was fitted to this figure, which therefore agrees
 */
public record Figure(
    String name,
    String unit,
    double paper,
    Set<Constant> constants,
    ToDoubleFunction<Timing> predicted,
    @Nullable ToDoubleFunction<Timing> added,
    boolean fitted) {

  /** Creates a figure without READs of the paper. */
  static Figure plain(
      String name,
      String unit,
      double paper,
      Set<Constant> constants,
      ToDoubleFunction<Timing> predicted) {
    return new Figure(name, unit, paper, constants, predicted, null, false);
  }

  /** The same figure, to which a constant was fitted. */
  Figure source() {
    return new Figure(name, unit, paper, constants, predicted, added, true);
  }
}
