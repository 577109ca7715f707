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
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Unbounded loops in programs for many calls. */
class LoopsOfManyCallsTest {
  /** Indices of WQEs and limits of queues have 16 bits. */
  private static final int INDICES = 1 << 16;

  private static final int NODE = 24;
  private static final int NODES = 12;

  private final ProgramBuilder builder = new ProgramBuilder("walk");

  /** Runs a program on each kind of device, which executes requests in the order of a seed. */
  private static void onEachDevice(Program program, BiConsumer<Host, String> calls) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(program, target, model, Calls.MANY);
        SoftNicOptions options =
            SoftNicOptions.DEFAULT
                .withWqeChecks(target == Target.CHECKED)
                .withFencedEnables(model == Model.ASSUMED)
                .withAdversary(1);
        try (Host host = new Host(plan, options)) {
          calls.accept(host, "%s, %s".formatted(target, model));
        }
      }
    }
  }

  @Test
  void aListOfAnyLengthIsFollowedForCallAfterCall() {
    Data list = builder.data("list", NODE * NODES);
    for (int i = 0; i < NODES; i++) {
      list.put(NODE * i, Literal.number(i + 1).content())
          .put(NODE * i + 8, list.pointer(NODE * ((i + 1) % NODES)))
          .put(NODE * i + 16, Literal.number(100 + i).content());
    }
    Input<Kind.Number> key = builder.number("key", 6);
    Input<Kind.Pointer> start = builder.pointer("start");
    Cell<Kind.Pointer> at = builder.data("at", 8).address(0);
    Cell<Kind.Number> value = builder.cell("value", 0);
    builder.set(at, start);
    builder.loop(
        () -> {
          Loaded node = builder.load(list, at);
          builder.set(at, node.pointer(8));
          builder.set(value, node.number(16, 8));
          builder.breakWhen(Condition.equal(node.number(0, 6), key));
        });
    builder.respond(value);
    Program program = builder.build();
    onEachDevice(
        program,
        (host, name) -> {
          long first = Objects.requireNonNull(host.addresses(program).get(list));
          // Even and odd numbers of laps, in all successions.
          for (int laps : new int[] {1, 1, 2, 1, 2, 2, 12, 7, 1}) {
            byte[] from = ByteBuffer.allocate(Long.BYTES).putLong(first).array();
            assertThat(host.call(Map.of(key, Literal.number(laps, 6).content(), start, from)))
                .as("%s, %d laps", name, laps)
                .containsExactly(Literal.number(99 + laps).content());
          }
        });
  }

  @Test
  void aLoopThatBothBranchesLeaveMakesOneLapInEachCall() {
    Input<Kind.Number> limit = builder.number("limit", 3);
    Cell<Kind.Number> laps = builder.cell("laps", 0);
    builder.loop(
        () -> {
          builder.add(laps, Literal.number(1));
          builder.when(Condition.less(laps.first(3), limit), builder::leave, builder::leave);
        });
    builder.respond(laps);
    Program program = builder.build();
    onEachDevice(
        program,
        (host, name) -> {
          for (int call = 1; call <= 4; call++) {
            assertThat(host.call(Map.of(limit, Literal.number(3, 3).content())))
                .as("%s, call %d", name, call)
                .containsExactly(Literal.number(call).content());
          }
        });
  }

  @Test
  void theProgramSurvivesTheWrapOfAllIndices() {
    // A long program needs few calls to use up the indices of its worker, and some laps per call to
    // use up those of its loop.
    Input<Kind.Number> laps = builder.number("laps", 7);
    Cell<Kind.Number> lap = builder.cell("lap", 0);
    Cell<Kind.Number> sum = builder.cell("sum", 0);
    builder.set(lap, Literal.number(0));
    builder.repeat(200, time -> builder.add(sum, Literal.number(time)));
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          builder.add(sum, lap);
          builder.breakWhen(Condition.equal(lap.first(7), laps));
        });
    builder.respond(sum);
    Program program = builder.build();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    int calls = INDICES / plan.wqebbs(Lane.WORKER) + 4;
    int lapsOfAll = 2 * INDICES / plan.wqebbs(Lane.LOOP);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      Interpreter interpreter = new Interpreter(program, host.addresses(program));
      for (int call = 0; call < calls; call++) {
        int number = lapsOfAll / calls + 1 + call % 3;
        Map<Input<?>, byte[]> inputs = Map.of(laps, Literal.number(number, 7).content());
        assertThat(host.call(inputs))
            .as("call %d, %d laps", call, number)
            .usingRecursiveComparison()
            .isEqualTo(interpreter.call(inputs));
      }
    }
  }
}
