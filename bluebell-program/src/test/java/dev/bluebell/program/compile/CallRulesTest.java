package dev.bluebell.program.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Field;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Listing;
import dev.bluebell.program.Literal;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Calls of subprograms are refused where they can't be compiled; elsewhere, the subprogram has a
 * queue of its own.
 */
class CallRulesTest {
  private final ProgramBuilder program = new ProgramBuilder("program");
  private final Cell<Kind.Number> x = program.cell("x", 0);
  private final Condition done = Condition.equal(x.first(3), Literal.number(3, 3));

  @Test
  void aSubprogramIsWrittenOnceForAllItsCalls() {
    Subprogram add = program.subprogram("add", () -> program.add(x, Literal.number(1)));
    program.repeat(9, round -> program.call(add));
    Plan plan = Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE, Calls.ONE);
    assertThat(plan.queue(Lane.SUBPROGRAM).stream().filter(entry -> entry.opcode() == 0x12))
        .hasSize(1);
    assertThat(plan.calledTimes()).isEqualTo(9);
    assertThat(Listing.of(program.build()))
        .contains("subprogram add\n  x += 0x0100000000000000\ncall add\ncall add\n");
  }

  @Test
  void anUncheckedSubprogramNeedsNothingBetweenTwoCalls() {
    Subprogram add = program.subprogram("add", () -> program.add(x, Literal.number(1)));
    program.repeat(9, round -> program.call(add));
    Plan plan = Compiler.compile(program.build(), Target.UNCHECKED, Model.ASSUMED, Calls.ONE);
    assertThat(plan.wqebbs(Lane.WORKER)).isEqualTo(2 * 9);
  }

  @Test
  void twoSubprogramsAreRefused() {
    Subprogram one = program.subprogram("one", () -> program.add(x, Literal.number(1)));
    Subprogram other = program.subprogram("other", () -> program.add(x, Literal.number(2)));
    program.call(one);
    program.when(done, () -> program.call(other));
    refused("calls 2 subprograms");
  }

  @Test
  void aCallInALoopWithoutABoundIsRefused() {
    Subprogram add = program.subprogram("add", () -> program.add(x, Literal.number(1)));
    program.loop(
        () -> {
          program.when(done, () -> program.call(add));
          program.breakWhen(done);
        });
    refused("in a loop without a bound");
  }

  @Test
  void aLoopWithoutABoundInASubprogramIsRefused() {
    program.call(program.subprogram("wait", () -> program.loop(() -> program.breakWhen(done))));
    refused("a loop without a bound in a subprogram");
  }

  @Test
  void aSubprogramThatCallsASubprogramIsRefused() {
    Subprogram add = program.subprogram("add", () -> program.add(x, Literal.number(1)));
    program.call(program.subprogram("twice", () -> program.repeat(2, round -> program.call(add))));
    refused("calls a subprogram in a subprogram");
  }

  @Test
  void anAnswerInASubprogramIsRefused() {
    program.call(program.subprogram("say", () -> program.when(done, () -> program.respond(x))));
    refused("answer where it is called");
  }

  @Test
  void dataThatASubprogramLoadedCannotBeUsedOutsideIt() {
    List<Field<Kind.Number>> fields = new ArrayList<>();
    program.call(
        program.subprogram(
            "load",
            () -> fields.add(program.loadIndexed(x.data(), Literal.number(0)).number(0, 8))));
    program.set(x, fields.getFirst());
    refused("keep it in a cell");
  }

  @Test
  void aSubprogramDoesNotLeaveTheLoopThatItIsCalledIn() {
    assertThatIllegalStateException()
        .isThrownBy(() -> program.repeat(2, round -> program.subprogram("leave", program::leave)))
        .withMessageContaining("only from inside it");
  }

  private void refused(String why) {
    assertThatThrownBy(() -> Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining(why);
  }
}
