package dev.bluebell.program.compile;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves unbounded loops out of branches: a flag per branch stores the result of the condition and
 * guards the other statements, and a loop in a branch that is not taken breaks at once.
 */
final class Lifting {
  private static final int FLAG_BYTES = 1;

  private final ProgramBuilder flags = new ProgramBuilder("flags");
  private int count;

  private Lifting() {}

  /**
   * A program without unbounded loops in branches, except in the laps of another loop.
   *
   * @param source the program
   * @param flags its additional data
   */
  record Lifted(Program source, List<Data> flags) {}

  static Lifted lift(Program program) {
    Lifting lifting = new Lifting();
    List<Statement> statements = lifting.lift(program.statements());
    Program lifted =
        new Program(
            program.name(), program.inputs(), program.buffers(), program.data(), statements);
    return new Lifted(lifted, lifting.flags.build().data());
  }

  private List<Statement> lift(List<Statement> statements) {
    List<Statement> lifted = new ArrayList<>();
    for (Statement statement : statements) {
      if (statement instanceof Statement.When when && hasLoop(when)) {
        lift(when, lifted);
      } else {
        lifted.add(statement);
      }
    }
    return lifted;
  }

  private static boolean hasLoop(Statement.When when) {
    return when.inside().stream()
        .flatMap(List::stream)
        .anyMatch(
            each ->
                each instanceof Statement.Unbounded
                    || each instanceof Statement.When inner && hasLoop(inner));
  }

  private void lift(Statement.When when, List<Statement> to) {
    Cell<Kind.Number> flag = flags.cell("branch" + count++, 0).first(FLAG_BYTES);
    to.add(
        new Statement.When(when.condition(), List.of(new Statement.Set(flag, taken())), List.of()));
    Condition yes = Condition.equal(flag, taken());
    Condition no = Condition.equal(flag, Literal.number(0, FLAG_BYTES));
    under(yes, no, lift(when.then()), to);
    under(no, yes, lift(when.otherwise()), to);
  }

  private static Literal<Kind.Number> taken() {
    return Literal.number(1, FLAG_BYTES);
  }

  /** Emits the statements of a branch, which are executed if it is taken. */
  private static void under(
      Condition taken, Condition other, List<Statement> branch, List<Statement> to) {
    List<Statement> group = new ArrayList<>();
    for (Statement statement : branch) {
      if (statement instanceof Statement.Unbounded loop) {
        close(taken, group, to);
        List<Statement> body = new ArrayList<>();
        body.add(new Statement.When(other, List.of(new Statement.Break()), List.of()));
        body.addAll(loop.body());
        to.add(new Statement.Unbounded(body));
      } else {
        group.add(statement);
      }
    }
    close(taken, group, to);
  }

  private static void close(Condition taken, List<Statement> group, List<Statement> to) {
    if (!group.isEmpty()) {
      to.add(new Statement.When(taken, List.copyOf(group), List.of()));
      group.clear();
    }
  }
}
