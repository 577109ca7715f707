package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client makes a program ready for its next call, by WRITEs to its rings. */
class RearmTest {
  private static final int CALLS = 3;

  /** Calls that use up all indices of the worker. */
  private static final int ROUND = 1100;

  private static final long SEED = Long.getLong("bluebell.orders.seed", 1);

  /** An installed program, its client and what the program means. */
  private static final class Rearmed implements AutoCloseable {
    final Program program;
    final Plan plan;
    final Device device;
    final ProtectionDomain domain;
    final ProtectionDomain own;
    final Installation installation;
    final RearmingClient client;
    final Map<Data, Long> addresses;
    final Interpreter interpreter;

    Rearmed(Program program, Target target, Model model, SoftNicOptions options, int calls) {
      this.program = program;
      plan = Compiler.compile(program, target, model, Calls.REARMED);
      device =
          Device.over(
              SoftNic.open(
                  options
                      .withEngine(EngineMode.POLL)
                      .withWqeChecks(target == Target.CHECKED)
                      .withFencedEnables(model == Model.ASSUMED)));
      domain = device.allocateProtectionDomain();
      own = device.allocateProtectionDomain();
      installation = Installation.installRearmed(device, domain, plan, calls);
      client = new RearmingClient(device, own, installation, plan, calls);
      client.connect(installation.endpoint());
      installation.connect(client.endpoint());
      addresses = installation.addresses(program);
      interpreter = new Interpreter(program, addresses);
    }

    void call(Example example, String what) {
      Map<Input<?>, byte[]> inputs = Rehearsal.inputs(example, program, addresses);
      client.send(inputs);
      Trial.rest(device);
      for (Counter counter : plan.counters()) {
        int unused = Completions.drain(installation.completions(counter));
      }
      assertThat(client.take())
          .as(what)
          .usingRecursiveComparison()
          .isEqualTo(interpreter.call(inputs));
      assertThat(client.isOver()).as(what).isTrue();
      for (Data data : program.data()) {
        assertThat(
                installation
                    .region(plan.area(data.name()))
                    .segment()
                    .asSlice(0, data.bytes())
                    .toArray(ValueLayout.JAVA_BYTE))
            .as("%s of %s", data, what)
            .isEqualTo(interpreter.read(data.bytes(0, data.bytes())));
      }
      for (Buffer buffer : program.buffers()) {
        assertThat(client.read(buffer)).as(what).isEqualTo(interpreter.read(buffer));
      }
    }

    @Override
    public void close() {
      client.close();
      installation.close();
      own.close();
      domain.close();
      device.close();
    }
  }

  static List<Offload> programs() {
    return OrdersTest.programsOfManyCalls();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void itIsRightCallAfterCallInEveryOrder(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        SoftNicOptions options = SoftNicOptions.DEFAULT.withAdversary(SEED);
        Program program = offload.example(SEED).program();
        try (Rearmed rearmed = new Rearmed(program, target, model, options, CALLS)) {
          for (int call = 0; call < CALLS; call++) {
            String what = "%s, %s, %s, call %d".formatted(offload.name(), target, model, call);
            rearmed.call(offload.example(SEED + call), what);
          }
        }
      }
    }
  }

  @Test
  void allNumbersGoRoundAndItGoesOn() {
    Offload offload = Offloads.named("list-walk").orElseThrow();
    Example example = offload.example(1);
    Program program = example.program();
    try (Rearmed rearmed =
        new Rearmed(program, Target.CHECKED, Model.CONSERVATIVE, SoftNicOptions.DEFAULT, ROUND)) {
      assertThat(ROUND * rearmed.plan.wqebbs(Lane.WORKER)).isGreaterThan(1 << 16);
      Map<Input<?>, byte[]> inputs = Rehearsal.inputs(example, program, rearmed.addresses);
      for (int call = 0; call < ROUND; call++) {
        rearmed.client.send(inputs);
        for (int turn = 0; !rearmed.client.isOver(); turn++) {
          assertThat(turn).as("call %d", call).isLessThan(1000);
          rearmed.device.progress();
          assertThat(rearmed.client.take()).as("call %d", call).hasSizeLessThan(2);
        }
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> rearmed.client.send(inputs))
          .withMessageContaining("starts %d calls, and all were made".formatted(ROUND));
    }
  }

  @Test
  void theNextCallWaitsUntilTheLastOneIsOver() {
    Offload offload = Offloads.named("hash-get-48").orElseThrow();
    Example example = offload.example(1);
    try (Rearmed rearmed =
        new Rearmed(
            example.program(), Target.CHECKED, Model.CONSERVATIVE, SoftNicOptions.DEFAULT, 2)) {
      Map<Input<?>, byte[]> inputs =
          Rehearsal.inputs(example, example.program(), rearmed.addresses);
      rearmed.client.send(inputs);
      assertThatIllegalStateException()
          .isThrownBy(() -> rearmed.client.send(inputs))
          .withMessageContaining("a call is under way");
      Trial.rest(rearmed.device);
      assertThat(rearmed.client.take()).isNotNull();
      rearmed.client.send(inputs);
    }
  }
}
