package dev.bluebell.program.compile;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Field;
import dev.bluebell.program.Location;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Statement;
import dev.bluebell.program.Subprogram;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the uses of each loaded field in a program, and the kinds of use. */
final class Uses {
  private final Map<Operand<?>, Integer> counts = new HashMap<>();
  private final Set<Operand<?>> gathered = new HashSet<>();
  private final Set<Subprogram> subprograms = new HashSet<>();
  private int longestLoad;

  Uses(List<Statement> statements) {
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
          count(when.then());
          count(when.otherwise());
        }
        case Statement.Unbounded loop -> count(loop.body());
        case Statement.Call call -> {
          // A subprogram is emitted once, however often it is called.
          if (subprograms.add(call.to())) {
            count(call.to().body());
          }
        }
        case Statement.Loop loop -> loop.laps().forEach(this::count);
        case Statement.Respond respond -> gather(respond.what());
        case Statement.RespondFrom respond -> {
          place(respond.from());
          respond.behind().forEach(this::gather);
        }
      }
    }
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
    counts.merge(operand, 1, Integer::sum);
  }

  private void gather(Operand<?> operand) {
    counts.merge(operand, 1, Integer::sum);
    gathered.add(operand);
  }
}
