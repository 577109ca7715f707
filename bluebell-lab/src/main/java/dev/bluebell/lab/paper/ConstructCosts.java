package dev.bluebell.lab.paper;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Literal;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Cost;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.option.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Costs of compiled constructs, compared with the paper: copies, atomics, WAITs and SEND_ENs, and
 * the card's rate of constructs that each depend on the one before.
 */
public final class ConstructCosts {
  /** Title of the table. */
  public static final String TITLE = "Costs of constructs";

  private static final List<Construct> CONSTRUCTS =
      List.of(
          new Construct("`if =`, 6 bytes that the client sends", "", c -> c.costOfSent(6), null),
          new Construct("`if =`, 7 bytes that the client sends", "", c -> c.costOfSent(7), null),
          Construct.chained(
              "`if =`, 6 bytes",
              "0.700",
              cell -> Condition.equal(cell.first(6), Literal.number(3, 6))),
          Construct.chained(
              "`if =`, 7 bytes", "", cell -> Condition.equal(cell.first(7), Literal.number(3, 7))),
          Construct.chained(
              "`if <`", "", cell -> Condition.less(cell.first(7), Literal.number(4, 7))),
          Construct.chained(
              "`if` on some bits",
              "",
              cell -> Condition.masked(cell.first(2), new byte[] {1, 0}, Literal.number(1, 2))),
          new Construct(
              "lap of `repeat` that `breakWhen` may end",
              "0.700",
              Compiled::costOfWrittenLap,
              Compiled::rateOfWrittenLaps),
          new Construct(
              "lap of `loop` that `breakWhen` may end",
              "0.300",
              Compiled::costOfLap,
              Compiled::rateOfLaps));

  private ConstructCosts() {}

  /** A construct; it has a rate when it can be chained. */
  private record Construct(
      String name,
      String paper,
      Function<Compiled, Cost> cost,
      @Nullable ToDoubleFunction<Compiled> rate) {
    static Construct chained(String name, String paper, Compiled.Question question) {
      return new Construct(
          name, paper, compiled -> compiled.cost(question), compiled -> compiled.rate(question));
    }
  }

  /**
   * A construct as compiled for one kind of device.
   *
   * @param paper millions per second, or empty
   * @param rate millions per second; NaN when there is no prediction
   */
  public record Compilation(
      String construct, String paper, Target target, Model model, Cost cost, double rate) {}

  /** Each construct for each kind of device. */
  public static List<Compilation> all(Timing timing) {
    List<Compilation> all = new ArrayList<>();
    for (Construct construct : CONSTRUCTS) {
      for (Target target : new Target[] {Target.UNCHECKED, Target.CHECKED}) {
        for (Model model : new Model[] {Model.ASSUMED, Model.CONSERVATIVE}) {
          Compiled compiled = new Compiled(timing, target, model);
          all.add(
              new Compilation(
                  construct.name,
                  construct.paper,
                  target,
                  model,
                  construct.cost.apply(compiled),
                  construct.rate == null ? Double.NaN : construct.rate.applyAsDouble(compiled)));
        }
      }
    }
    return all;
  }

  /** The lines of the table of rates. */
  public static List<String> lines(List<Compilation> compilations) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| construct, M/s | paper | unchecked, assumed | unchecked, conservative | checked, assumed"
            + " | checked, conservative |");
    lines.add("|---|---|---|---|---|---|");
    for (Construct construct : CONSTRUCTS) {
      if (construct.rate == null) {
        continue;
      }
      List<String> cells = new ArrayList<>(List.of(construct.name, construct.paper));
      compilations.stream()
          .filter(each -> each.construct.equals(construct.name))
          .map(each -> Table.text(each.rate))
          .forEach(cells::add);
      lines.add(Table.row(cells));
    }
    return lines;
  }
}
