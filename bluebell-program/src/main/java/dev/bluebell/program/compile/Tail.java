package dev.bluebell.program.compile;

import dev.bluebell.program.Statement;
import java.util.ArrayList;
import java.util.List;

/** The end of a lap, where a break has nothing to skip. */
final class Tail {
  private Tail() {}

  /**
   * The breaks at the end of statements that may set the gates of the lap whether they are taken or
   * not. A break directly at the end of {@code otherwise} is left out if {@code then} ends with
   * such breaks, too: it would also set the gates when {@code then} is taken, and undo its break.
   */
  static List<Statement.Break> breaks(List<Statement> statements) {
    if (statements.isEmpty()) {
      return List.of();
    }
    return switch (statements.getLast()) {
      case Statement.Break leave -> List.of(leave);
      case Statement.When when -> {
        List<Statement.Break> breaks = new ArrayList<>(breaks(when.then()));
        List<Statement> otherwise = when.otherwise();
        if (breaks.isEmpty()
            || !otherwise.isEmpty() && !(otherwise.getLast() instanceof Statement.Break)) {
          breaks.addAll(breaks(otherwise));
        }
        yield breaks;
      }
      default -> List.of();
    };
  }

  /** The same statements without the breaks at their end. */
  static List<Statement> withoutBreaks(List<Statement> statements) {
    if (statements.isEmpty()) {
      return statements;
    }
    List<Statement> result = new ArrayList<>(statements);
    Statement last = result.removeLast();
    if (last instanceof Statement.When when) {
      List<Statement> then = withoutBreaks(when.then());
      List<Statement> otherwise = withoutBreaks(when.otherwise());
      if (!then.isEmpty() || !otherwise.isEmpty()) {
        result.add(new Statement.When(when.condition(), then, otherwise));
      }
    } else if (!(last instanceof Statement.Break)) {
      result.add(last);
    }
    return result;
  }
}
