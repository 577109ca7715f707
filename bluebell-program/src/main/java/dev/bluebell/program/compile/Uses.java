package dev.bluebell.program.compile;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Field;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Location;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Statement;
import dev.bluebell.program.Subprogram;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the uses of each loaded field in a program, and the kinds of use. Checks that a field is
 * used only where its load has been executed.
 */
final class Uses {
  private final Map<Operand<?>, Integer> counts = new HashMap<>();
  private final Set<Operand<?>> gathered = new HashSet<>();
  private final Set<Subprogram> subprograms = new HashSet<>();
  private int longestLoad;

  /** Records whose load is executed before the next statement, if that is executed. */
  private Set<Loaded> valid;

  /**
   * @throws CompileException when a field is used where it may not be loaded
   */
  Uses(List<Statement> statements) {
    this(statements, Set.of());
  }

  private Uses(List<Statement> statements, Set<Loaded> valid) {
    this.valid = new HashSet<>(valid);
    count(statements);
  }

  /** True when a field is used once, in a place where the load can scatter it directly. */
  boolean livesAtItsUse(Field<?> field) {
    return isUsedOnce(field) && !gathered.contains(field);
  }

  boolean isUsedOnce(Field<?> field) {
    return counts.getOrDefault(field, 0) == 1;
  }

  /** Length of the longest load in bytes. */
  int longestLoad() {
    return longestLoad;
  }

  private void count(List<Statement> statements) {
    for (Statement statement : statements) {
      switch (statement) {
        case Statement.Set set -> gather(set.from());
        case Statement.Load load -> {
          place(load.from());
          valid.add(load.into());
          longestLoad = Math.max(longestLoad, load.into().bytes());
        }
        case Statement.Store store -> {
          place(store.to());
          gather(store.from());
        }
        case Statement.Add add -> place(add.addend());
        case Statement.Update _, Statement.Break _ -> {}
        case Statement.Atomic atomic -> atomic(atomic);
        case Statement.When when -> {
          place(when.condition());
          countInside(List.of(when.then()));
          countInside(List.of(when.otherwise()));
        }
        case Statement.Unbounded loop -> countInside(List.of(loop.body()));
        case Statement.Call call -> {
          List<Statement> body = call.to().body();
          // A subprogram is emitted once, however often it is called.
          if (subprograms.add(call.to())) {
            countInside(List.of(body));
          } else {
            var _ = new Uses(body, valid);
          }
        }
        // A lap is executed only after all of the one before, so it can use what that has loaded.
        case Statement.Loop loop -> countInside(loop.laps());
        case Statement.Respond respond -> gather(respond.what());
        case Statement.RespondFrom respond -> {
          place(respond.from());
          respond.behind().forEach(this::gather);
        }
      }
    }
  }

  /** Counts in statements that may be skipped: what they load is invalid behind them. */
  private void countInside(List<List<Statement>> parts) {
    Set<Loaded> outside = valid;
    valid = new HashSet<>(outside);
    parts.forEach(this::count);
    valid = outside;
  }

  /** An atomic returns the original word in one piece, so its fields stay where it is written. */
  private void atomic(Statement.Atomic atomic) {
    place(atomic.word());
    switch (atomic.change()) {
      case Statement.Change.CompareSwap swap -> {
        place(swap.expected());
        place(swap.desired());
      }
      case Statement.Change.Exchange exchange -> place(exchange.value());
      case Statement.Change.FetchAdd add -> place(add.addend());
    }
    valid.add(atomic.before());
    gathered.addAll(atomic.before().fields());
  }

  private void place(Condition condition) {
    place(condition.left());
    switch (condition) {
      case Condition.Equal equal -> place(equal.right());
      case Condition.Less less -> place(less.right());
      case Condition.Masked _ -> {}
    }
  }

  private void place(Location location) {
    switch (location) {
      case Location.At at -> place(at.pointer());
      case Location.Indexed indexed -> place(indexed.offset());
    }
  }

  private void place(Operand<?> operand) {
    if (operand instanceof Field<?> field && !valid.contains(field.loaded())) {
      throw new CompileException(
          "%s is loaded in a branch, a loop or a subprogram, and is invalid outside of it or the next time it runs; keep it in a cell"
              .formatted(field));
    }
    counts.merge(operand, 1, Integer::sum);
  }

  private void gather(Operand<?> operand) {
    place(operand);
    gathered.add(operand);
  }
}
