package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
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
    agree(target, Map.of());
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void aListEndsWithTheAddressZero(Target target) {
    Data nodes = builder.data("nodes", 48);
    nodes.put(0, nodes.pointer(16)).put(16, nodes.pointer(32));
    Data place = builder.data("place", 8).put(0, nodes.pointer(0));
    builder.repeat(
        4,
        _ -> {
          Field<Kind.Pointer> next = builder.load(nodes, place.address(0)).pointer(0);
          builder.breakWhen(Condition.equal(next, Literal.pointer(0)));
          builder.set(place.address(0), next);
          builder.add(cell, Literal.number(1));
        });
    builder.respond(cell);
    agree(target, Map.of());
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void bytesOfAnyLengthAreCompared(Target target) {
    Map<Input<?>, byte[]> inputs = new HashMap<>();
    for (int bytes : new int[] {1, 7, 8, 14, 40}) {
      byte[] content = new byte[bytes];
      content[bytes - 1] = 7;
      Input<Kind.Bytes> input = builder.bytes("input" + bytes, bytes);
      inputs.put(input, content);
      builder.when(
          Condition.equal(input, Literal.bytes(content)),
          () -> builder.add(cell, Literal.number(bytes)));
      builder.when(
          Condition.equal(input, Literal.bytes(new byte[bytes])),
          () -> builder.add(cell, Literal.number(1000)));
    }
    agree(target, inputs);
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void anAddendHasAnyLengthUpToEightBytes(Target target) {
    Map<Input<?>, byte[]> inputs = new HashMap<>();
    for (int bytes = 1; bytes <= 8; bytes++) {
      Input<Kind.Number> input = builder.number("input" + bytes, bytes);
      inputs.put(input, ones(bytes));
      builder.add(cell, input);
      builder.add(cell, new Literal<>(ones(bytes)));
      builder.add(cell, cell.first(bytes));
    }
    agree(target, inputs);
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void numbersOfUpToSevenBytesAreOrderedOnEitherSide(Target target) {
    for (int bytes = 1; bytes <= 7; bytes++) {
      Map<Input<?>, byte[]> inputs = new HashMap<>();
      ProgramBuilder program = new ProgramBuilder("ordered");
      Cell<Kind.Number> sum = program.cell("sum", 0);
      Input<Kind.Number> most = program.number("most", bytes);
      Input<Kind.Number> none = program.number("none", bytes);
      inputs.put(most, ones(bytes));
      inputs.put(none, new byte[bytes]);
      Cell<Kind.Number> middle =
          program.data("middle", 8).put(bytes - 1, (byte) 0x80).number(0).first(bytes);
      int bit = 0;
      for (Operand<Kind.Number> left : List.of(most, none, middle)) {
        for (Operand<Kind.Number> right : List.of(most, none, middle)) {
          long yes = 1L << bit++;
          long no = 1L << bit++;
          program.when(
              Condition.less(left, right),
              () -> program.add(sum, Literal.number(yes)),
              () -> program.add(sum, Literal.number(no)));
        }
      }
      agree(program.build(), sum, target, inputs);
    }
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void anInputIsBothComparedWithAConstantAndAdded(Target target) {
    Input<Kind.Number> small = builder.number("small", 4);
    Input<Kind.Number> large = builder.number("large", 4);
    for (Input<Kind.Number> amount : List.of(small, large)) {
      builder.when(Condition.less(amount, Literal.number(100)), () -> builder.add(cell, amount));
      builder.when(Condition.less(Literal.number(100), amount), () -> builder.respond(amount));
    }
    agree(
        target,
        Map.of(small, Literal.number(99, 4).content(), large, Literal.number(101, 4).content()));
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void bytesAreMovedWithinTheirData(Target target) {
    int bytes = 100_000;
    Data moved = builder.data("moved", bytes);
    for (int i = 0; i < bytes; i++) {
      moved.put(i, (byte) (i * 31 >>> 3));
    }
    builder.set(moved.bytes(0, bytes - 8), moved.bytes(8, bytes - 8));
    builder.set(moved.bytes(8, 256), moved.bytes(0, 256));
    builder.set(moved.bytes(bytes / 2, bytes / 2), moved.bytes(0, bytes / 2));
    agree(builder.build(), moved.number(0), target, Map.of());
  }

  private static byte[] ones(int bytes) {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) 0xff);
    return content;
  }

  private void agree(Target target, Map<Input<?>, byte[]> inputs) {
    agree(builder.build(), cell, target, inputs);
  }

  private static void agree(
      Program program, Cell<Kind.Number> cell, Target target, Map<Input<?>, byte[]> inputs) {
    Plan plan = Compiler.compile(program, target, Model.CONSERVATIVE, Calls.MANY);
    SoftNicOptions options = SoftNicOptions.DEFAULT.withWqeChecks(target == Target.CHECKED);
    try (Host host = new Host(plan, options)) {
      Interpreter interpreter = new Interpreter(program, host.addresses(program));
      for (int call = 0; call < 3; call++) {
        assertThat(host.call(inputs))
            .usingRecursiveComparison()
            .isEqualTo(interpreter.call(inputs));
        Data data = cell.data();
        assertThat(host.read(data)).isEqualTo(interpreter.read(data.bytes(0, data.bytes())));
      }
    }
  }
}
