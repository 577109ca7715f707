package dev.bluebell.program.compile;

import dev.bluebell.program.Program;
import dev.bluebell.program.Statement;
import dev.bluebell.program.Subprogram;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Checks where a program calls subprograms, and what these contain. */
final class CallRules {
  private final Program program;
  private final Set<Subprogram> called = new LinkedHashSet<>();
  private boolean conditional;

  private CallRules(Program program) {
    this.program = program;
  }

  /**
   * Checks a program.
   *
   * @return true when a condition may skip one of its calls
   * @throws CompileException when something can't be compiled
   */
  static boolean check(Program program) {
    CallRules rules = new CallRules(program);
    rules.look(program.statements(), false);
    if (rules.called.size() > 1) {
      throw rules.refused(
          "calls %d subprograms, but a program has only one queue for them; merge them into one, or"
              + " write the others where they are called",
          rules.called.size());
    }
    rules.called.forEach(each -> rules.lookInside(each.body()));
    return rules.conditional;
  }

  private void look(List<Statement> statements, boolean guarded) {
    for (Statement statement : statements) {
      if (statement instanceof Statement.Call call) {
        called.add(call.to());
        conditional |= guarded;
      }
      if (statement instanceof Statement.Unbounded
          && !Subprogram.of(List.of(statement)).isEmpty()) {
        throw refused(
            "calls a subprogram in a loop without a bound, where the number of the call is unknown;"
                + " write it there");
      }
      statement.inside().forEach(body -> look(body, true));
    }
  }

  private void lookInside(List<Statement> body) {
    for (Statement statement : body) {
      switch (statement) {
        case Statement.Respond _, Statement.RespondFrom _ ->
            throw refused(
                "answers in a subprogram, but its client's queue does not wrap around; keep the"
                    + " answer in a cell, and answer where it is called");
        case Statement.Unbounded _ ->
            throw refused(
                "has a loop without a bound in a subprogram, which has only one queue; write the"
                    + " loop where it is called");
        case Statement.Call _ ->
            throw refused(
                "calls a subprogram in a subprogram, where the number of the call is unknown; write"
                    + " it there");
        default -> statement.inside().forEach(this::lookInside);
      }
    }
  }

  private CompileException refused(String why, Object... arguments) {
    return new CompileException("%s %s".formatted(program.name(), why.formatted(arguments)));
  }
}
