package dev.bluebell.program.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Field;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Location;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.plan.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An unbounded loop is refused where it can't be compiled. */
class LoopRulesTest {
  private final ProgramBuilder program = new ProgramBuilder("program");
  private final Cell<Kind.Number> x = program.cell("x", 0);
  private final Condition done = Condition.equal(x.first(3), Literal.number(3, 3));

  @Test
  void aLoopThatNothingLeavesIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> program.loop(() -> program.add(x, Literal.number(1))))
        .withMessageContaining("needs a break");
  }

  @Test
  void aBreakOfAnInnerLoopDoesNotLeaveTheOuterLoop() {
    assertThatIllegalStateException()
        .isThrownBy(() -> program.loop(() -> program.repeat(2, lap -> program.breakWhen(done))))
        .withMessageContaining("needs a break");
  }

  @Test
  void threeLoopsAreRefused() {
    program.repeat(3, round -> program.loop(() -> program.breakWhen(done)));
    refused("has 3 loops without a bound");
  }

  @Test
  void aLoopAnywhereMakesAProgramUnbounded() {
    program.when(done, () -> program.add(x, Literal.number(1)));
    assertThat(program.build().isUnbounded()).isFalse();
    program.when(done, () -> program.loop(() -> program.breakWhen(done)));
    assertThat(program.build().isUnbounded()).isTrue();
  }

  @Test
  void aLoopInALoopThatMayBeLeftIsRefused() {
    program.repeat(
        2,
        round -> {
          program.breakWhen(done);
          program.when(done, () -> program.loop(() -> program.breakWhen(done)));
        });
    refused("in a loop");
  }

  @Test
  void aLoopInALoopIsRefused() {
    program.loop(
        () -> {
          program.loop(() -> program.breakWhen(done));
          program.breakWhen(done);
        });
    refused("has a loop without a bound in a loop");
  }

  @Test
  void anAnswerInALoopIsRefused() {
    program.loop(
        () -> {
          program.when(done, () -> program.respond(x));
          program.breakWhen(done);
        });
    refused("answer after the loop");
  }

  @Test
  void dataThatALapLoadedCannotBeUsedBehindTheLoop() {
    List<Field<Kind.Number>> fields = new ArrayList<>();
    program.loop(
        () -> {
          fields.add(program.loadIndexed(x.data(), Literal.number(0)).number(0, 8));
          program.breakWhen(done);
        });
    program.set(x, fields.getFirst());
    refused("keep it in a cell");
  }

  @Test
  void dataThatABranchLoadedCannotBeUsedBehindTheBranch() {
    List<Field<Kind.Number>> fields = new ArrayList<>();
    program.when(done, () -> fields.add(loaded()));
    program.respond(fields.getFirst());
    refused("loaded0[0..8) is loaded in a branch");
  }

  @Test
  void theOldValueOfAnAtomicInABranchCannotBeUsedInTheOtherBranch() {
    List<Field<Kind.Number>> fields = new ArrayList<>();
    program.when(
        done,
        () -> fields.add(program.exchange(Location.of(x), Literal.number(1)).number(0, 8)),
        () -> program.respond(fields.getFirst()));
    refused("is loaded in a branch");
  }

  @Test
  void dataBehindABreakOfARepeatCanBeUsedInTheNextLapButNotBehindTheRepeat() {
    List<Field<Kind.Number>> fields = new ArrayList<>();
    program.repeat(
        2,
        lap -> {
          program.breakWhen(done);
          if (lap == 1) {
            program.set(x, fields.getFirst());
          }
          fields.add(loaded());
        });
    assertThat(Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE)).isNotNull();
    program.respond(fields.getLast());
    refused("keep it in a cell");
  }

  @Test
  void aSubprogramUsesOnlyDataThatIsLoadedWhereverItIsCalled() {
    List<Subprogram> later = new ArrayList<>();
    program.when(
        done,
        () -> {
          Field<Kind.Number> field = loaded();
          Subprogram copy = program.subprogram("copy", () -> program.set(x, field));
          program.call(copy);
          later.add(copy);
        });
    assertThat(Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE)).isNotNull();
    program.call(later.getFirst());
    refused("keep it in a cell");
  }

  private Field<Kind.Number> loaded() {
    return program.loadIndexed(x.data(), Literal.number(0)).number(0, 8);
  }

  @Test
  void theInterpreterGivesUpOnALoopThatIsNeverLeft() {
    program.loop(() -> program.breakWhen(done));
    Interpreter interpreter = new Interpreter(program.build(), Map.of(x.data(), 0x1000L), 1000);
    assertThatIllegalStateException()
        .isThrownBy(() -> interpreter.call(Map.of()))
        .withMessageContaining("more than 1,000 statements");
  }

  private void refused(String why) {
    assertThatThrownBy(() -> Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining(why);
  }
}
