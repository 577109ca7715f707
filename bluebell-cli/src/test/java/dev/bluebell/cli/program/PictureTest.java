package dev.bluebell.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import org.junit.jupiter.api.Test;

/** Pictures and listings of programs, with every kind of queue. */
class PictureTest {
  private final Plan plan;

  PictureTest() {
    ProgramBuilder program = new ProgramBuilder("all queues");
    Cell<Kind.Number> x = program.cell("x", 0);
    Condition three = Condition.equal(x.first(3), Literal.number(3, 3));
    Subprogram add =
        program.subprogram(
            "add", () -> program.when(three, () -> program.add(x, Literal.number(1))));
    program.call(add);
    program.loop(() -> program.breakWhen(three));
    program.when(three, () -> program.call(add));
    program.when(
        three,
        () ->
            program.loop(
                () -> {
                  program.add(x, Literal.number(1));
                  program.breakWhen(Condition.less(Literal.number(5, 7), x.first(7)));
                }));
    program.respondInto(program.buffer("answer", 8), x);
    plan = Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE);
  }

  @Test
  void eachQueueHasAColumnOfItsOwnAndEachEntryABox() {
    assertThat(plan.lanes()).containsExactly(Lane.values());
    String picture = Picture.of(plan, "all");
    for (Lane lane : Lane.values()) {
      assertThat(picture).contains(">%s queue</text>".formatted(lane.text()));
    }
    int entries = plan.lanes().stream().mapToInt(lane -> plan.queue(lane).size()).sum();
    assertThat(picture.split("<rect ", -1)).hasSizeGreaterThan(entries);
  }

  @Test
  void dependencesIncludeTheEntriesThatACallWritesAndArms() {
    assertThat(Dependences.of(plan))
        .anyMatch(line -> line.startsWith("subprogram") && line.contains("is written by worker"))
        .anyMatch(line -> line.startsWith("client") && line.contains("is written by the call"));
    assertThat(Assembly.of(plan))
        .contains("second loop 0", "make add ready", "do add", "rdma_write_imm");
  }
}
