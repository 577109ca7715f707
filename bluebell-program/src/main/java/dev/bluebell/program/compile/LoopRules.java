package dev.bluebell.program.compile;

import dev.bluebell.program.Program;
import dev.bluebell.program.Statement;
import java.util.List;

/** Checks where a program has unbounded loops, and what these contain. */
final class LoopRules {
  private LoopRules() {}

  /**
   * Checks a program.
   *
   * @throws CompileException when a loop can't be compiled in its place
   */
  static void check(Program program) {
    long loops = program.statements().stream().filter(LoopRules::isLoop).count();
    if (loops > 2) {
      throw new CompileException(
          "%s has %d loops without a bound, but a program has two queues for them; use at most 2"
              .formatted(program.name(), loops));
    }
    for (Statement statement : program.statements()) {
      statement.inside().forEach(body -> checkInside(program, body, isLoop(statement)));
    }
  }

  private static void checkInside(Program program, List<Statement> body, boolean loop) {
    for (Statement statement : body) {
      if (isLoop(statement)) {
        throw new CompileException(
            "%s has a loop without a bound in a loop, whose next lap would need it in its initial state; put it outside of loops, by itself or in a branch"
                .formatted(program.name()));
      }
      if (loop
          && (statement instanceof Statement.Respond
              || statement instanceof Statement.RespondFrom)) {
        throw new CompileException(
            "%s answers in its loop without a bound, but its client's queue does not wrap around; answer after the loop"
                .formatted(program.name()));
      }
      statement.inside().forEach(inner -> checkInside(program, inner, loop));
    }
  }

  private static boolean isLoop(Statement statement) {
    return statement instanceof Statement.Unbounded;
  }
}
