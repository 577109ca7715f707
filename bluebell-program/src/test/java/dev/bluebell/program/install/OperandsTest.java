package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operands have the same effect on the device as in the interpreter, wherever they are used. */
class OperandsTest {
  private final ProgramBuilder builder = new ProgramBuilder("operands");
  private final Cell<Kind.Number> cell = builder.cell("cell", 3);

  @ParameterizedTest
  @EnumSource(Target.class)
  void aConstantIsComparedOnEitherSide(Target target) {
    for (int bytes : new int[] {1, 3, 6, 7, 8}) {
      Literal<Kind.Number> three = Literal.number(3, bytes);
      Literal<Kind.Number> four = Literal.number(4, bytes);
      builder.when(Condition.equal(three, cell.first(bytes)), () -> builder.respond(three));
      builder.when(Condition.equal(four, cell.first(bytes)), () -> builder.respond(four));
      builder.when(Condition.equal(four, four), () -> builder.add(cell, Literal.number(0)));
    }
    agree(target);
  }

  private void agree(Target target) {
    Program program = builder.build();
    Plan plan = Compiler.compile(program, target, Model.CONSERVATIVE, Calls.MANY);
    SoftNicOptions options = SoftNicOptions.DEFAULT.withWqeChecks(target == Target.CHECKED);
    try (Host host = new Host(plan, options)) {
      Interpreter interpreter = new Interpreter(program, host.addresses(program));
      for (int call = 0; call < 3; call++) {
        assertThat(host.call(Map.of()))
            .usingRecursiveComparison()
            .isEqualTo(interpreter.call(Map.of()));
        assertThat(host.read(cell.data())).isEqualTo(interpreter.read(cell));
      }
    }
  }
}
