package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of subprograms under conditions. */
class SubprogramTest {
  private static final long STARTED = 5;

  private final ProgramBuilder builder = new ProgramBuilder("program");
  private final Cell<Kind.Number> x = builder.cell("x", STARTED);
  private final Input<Kind.Number> wanted = builder.number("wanted", 3);

  /** One instruction arms several others; with 70, it has no room for all of them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 70})
  void aCallIsMadeIfItsConditionHoldsAndElseNot(int steps) {
    Subprogram step =
        builder.subprogram(
            "step",
            () -> {
              for (int i = 0; i < steps; i++) {
                builder.add(x, Literal.number(i + 1));
              }
            });
    builder.when(Condition.equal(x.first(3), wanted), () -> builder.call(step));
    builder.respond(x);
    Program program = builder.build();
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(program, target, model);
        SoftNicOptions options =
            SoftNicOptions.DEFAULT
                .withWqeChecks(target == Target.CHECKED)
                .withFencedEnables(model == Model.ASSUMED)
                .withAdversary(steps);
        for (long number : new long[] {STARTED, STARTED + 1}) {
          try (Host host = new Host(plan, options)) {
            Map<Input<?>, byte[]> inputs = Map.of(wanted, Literal.number(number, 3).content());
            assertThat(host.call(inputs))
                .as("%s, %s, %d", target, model, number)
                .usingRecursiveComparison()
                .isEqualTo(new Interpreter(program, host.addresses(program)).call(inputs));
          }
        }
      }
    }
  }
}
