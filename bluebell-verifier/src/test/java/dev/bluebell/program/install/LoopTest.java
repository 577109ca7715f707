package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verifier.Rules;
import dev.bluebell.verifier.Verifier;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Unbounded loops run on the device until they are left. */
class LoopTest {
  private static final int ADVERSARIES = 2;

  private final ProgramBuilder builder = new ProgramBuilder("loop");
  private final Input<Kind.Number> laps = builder.number("laps", 7);
  private final Cell<Kind.Number> lap = builder.cell("lap", 0);
  private final Cell<Kind.Number> sum = builder.cell("sum", 0);

  @Test
  void aLoopIsLeftAtTheEndOfALap() {
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.add(sum, lap);
          builder.breakWhen(Condition.equal(lap.first(7), laps));
        });
    builder.respond(sum);
    agree(1, 2, 3, 10);
  }

  @Test
  void aLoopIsLeftAtTheStartOfALap() {
    builder.loop(
        () -> {
          builder.breakWhen(Condition.equal(lap.first(7), laps));
          builder.add(lap, Literal.number(1));
          builder.add(sum, lap);
        });
    builder.respond(sum);
    agree(0, 1, 2, 5);
  }

  @Test
  @Tag("slow")
  void aLoopIsLeftInTheMiddleAndAtTheEnd() {
    Cell<Kind.Number> limit = builder.cell("limit", 9);
    builder.set(sum, Literal.number(3));
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.when(
              Condition.masked(lap.first(1), new byte[] {1}, Literal.number(1, 1)),
              () -> builder.breakWhen(Condition.equal(lap.first(7), laps)),
              () -> builder.add(sum, Literal.number(100)));
          builder.add(sum, lap);
          builder.breakWhen(Condition.less(limit.first(5), sum.first(5)));
        });
    builder.add(sum, lap);
    builder.respond(sum);
    agree(1, 2, 3);
  }

  @Test
  @Tag("slow")
  void aLoopIsLeftByABranchAtItsEnd() {
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.when(
              Condition.masked(lap.first(1), new byte[] {1}, Literal.number(1, 1)),
              () -> {
                builder.add(sum, lap);
                builder.breakWhen(Condition.equal(lap.first(7), laps));
              },
              () ->
                  builder.when(
                      Condition.less(lap.first(6), Literal.number(3, 6)),
                      () -> builder.add(sum, Literal.number(50)),
                      builder::leave));
        });
    builder.respond(sum);
    agree(1, 3, 9);
  }

  @Test
  void aConditionOnAnInputIsEvaluatedInEachLap() {
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.when(Condition.equal(laps, Literal.number(4, 7)), () -> builder.add(sum, lap));
          builder.breakWhen(Condition.less(Literal.number(3, 7), lap.first(7)));
        });
    builder.respond(sum);
    agree(3, 4);
  }

  @Test
  @Tag("slow")
  void aLoopMayContainABoundedLoopWithABreak() {
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.repeat(
              3,
              round -> {
                builder.add(sum, Literal.number(1));
                builder.breakWhen(Condition.equal(lap.first(1), Literal.number(round + 1, 1)));
              });
          builder.breakWhen(Condition.equal(lap.first(7), laps));
        });
    builder.respond(sum);
    agree(2, 5);
  }

  @Test
  @Tag("slow")
  void oneLoopStandsBehindAnother() {
    Cell<Kind.Number> other = builder.cell("other", 0);
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.breakWhen(Condition.equal(lap.first(7), laps));
        });
    builder.add(sum, lap);
    builder.loop(
        () -> {
          builder.breakWhen(Condition.equal(other.first(7), laps));
          builder.add(other, Literal.number(1));
          builder.when(
              Condition.masked(other.first(1), new byte[] {1}, Literal.number(1, 1)),
              () -> builder.add(sum, other));
        });
    builder.respond(sum);
    agree(1, 2, 5);
  }

  @Test
  @Tag("slow")
  void loopsStandInBranches() {
    builder.add(sum, Literal.number(7));
    builder.when(
        Condition.less(laps, Literal.number(3, 7)),
        () -> {
          builder.add(sum, Literal.number(100));
          // What was asked is not asked again.
          builder.set(lap, Literal.number(0));
          builder.loop(
              () -> {
                builder.add(lap, Literal.number(1));
                builder.add(sum, lap);
                builder.breakWhen(Condition.equal(lap.first(7), laps));
              });
          builder.respond(lap);
        },
        () ->
            builder.when(
                Condition.equal(laps, Literal.number(4, 7)),
                () ->
                    builder.loop(
                        () -> {
                          builder.breakWhen(Condition.equal(lap.first(7), laps));
                          builder.add(lap, Literal.number(1));
                          builder.add(sum, Literal.number(1000));
                        }),
                () -> builder.respond(laps)));
    builder.respond(sum);
    agree(1, 2, 4, 9);
  }

  @Test
  @Tag("slow")
  void aListIsFollowedToItsEnd() {
    Data list = builder.data("list", 16 * 5);
    for (int i = 0; i < 5; i++) {
      list.put(16 * i, Literal.number(i + 1).content());
      list.put(16 * i + 8, list.pointer(16 * Math.min(4, i + 1)));
    }
    Cell<Kind.Pointer> at = builder.data("at", 8).put(0, list.pointer(0)).address(0);
    builder.loop(
        () -> {
          Loaded node = builder.load(list, at);
          builder.set(at, node.pointer(8));
          builder.set(lap, node.number(0, 8));
          builder.add(sum, lap);
          builder.breakWhen(Condition.equal(lap.first(7), laps));
        });
    builder.respond(sum);
    agree(1, 3, 5);
  }

  @Test
  void aLoopSurvivesTheWrapOfAllIndices() {
    // 2,100 laps, with at least 32 WQEBBs for two of them, use up all indices.
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.when(
              Condition.equal(lap.first(1), Literal.number(7, 1)), () -> builder.add(sum, lap));
          builder.breakWhen(Condition.equal(lap.first(7), laps));
        });
    builder.respond(sum);
    Program program = builder.build();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE);
    agree(program, plan, SoftNicOptions.DEFAULT, 4200);
  }

  private void agree(int... numbers) {
    Program program = builder.build();
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(program, target, model);
        if (Subject.isTried(target, model)) {
          expectProof(plan, target, model);
        }
        SoftNicOptions options =
            SoftNicOptions.DEFAULT
                .withWqeChecks(target == Target.CHECKED)
                .withFencedEnables(model == Model.ASSUMED);
        for (int number : numbers) {
          agree(program, plan, options, number);
          for (int seed = 1; seed <= ADVERSARIES; seed++) {
            agree(program, plan, options.withAdversary(seed), number);
          }
        }
      }
    }
  }

  private static void expectProof(Plan plan, Target target, Model model) {
    ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
    Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
    assertThat(Verifier.verify(image, rules, Subject.data(image), 100_000).refusals())
        .as("%s, %s", target, model)
        .isEmpty();
  }

  private void agree(Program program, Plan plan, SoftNicOptions options, int number) {
    String what = "%d laps, %s%n%s".formatted(number, options.machine(), Assembly.of(plan));
    try (Host host = new Host(plan, options)) {
      Interpreter interpreter = new Interpreter(program, host.addresses(program));
      Map<Input<?>, byte[]> inputs = Map.of(laps, Literal.number(number, 7).content());
      try {
        assertThat(host.call(inputs))
            .as(what)
            .usingRecursiveComparison()
            .isEqualTo(interpreter.call(inputs));
      } catch (IllegalStateException failure) {
        throw new AssertionError(what, failure);
      }
      for (Data data : program.data()) {
        assertThat(host.read(data))
            .as("%s of %s", data, what)
            .isEqualTo(interpreter.read(data.bytes(0, data.bytes())));
      }
    }
  }
}
