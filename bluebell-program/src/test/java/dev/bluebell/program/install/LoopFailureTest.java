package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A loop may make more laps than its completion queue holds, and fail then. */
class LoopFailureTest {
  private static final int MAX_LAPS = 40;

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(Target.class)
  void aLoopThatFailsAfterAnyNumberOfLapsIsReported(Target target) {
    SoftNicOptions options = SoftNicOptions.DEFAULT.withWqeChecks(target == Target.CHECKED);
    for (int laps = 1; laps <= MAX_LAPS; laps++) {
      Plan plan = Compiler.compile(walk(laps, true), target, Model.CONSERVATIVE, Calls.MANY);
      try (Host host = new Host(plan, options)) {
        assertThatIllegalStateException()
            .as("%d laps", laps)
            .isThrownBy(() -> host.call(Map.of()))
            .withMessageContaining("reaches outside the region");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void aLoopThatEndsHasNoFailure(Target target) {
    SoftNicOptions options = SoftNicOptions.DEFAULT.withWqeChecks(target == Target.CHECKED);
    Plan plan = Compiler.compile(walk(MAX_LAPS, false), target, Model.CONSERVATIVE, Calls.MANY);
    try (Device device = Device.over(VirtualTime.open(options));
        ProtectionDomain domain = device.allocateProtectionDomain();
        Trial trial = new Trial(device, domain, plan)) {
      assertThat(trial.call(Map.of())).hasSize(1);
      assertThat(trial.installation().failure()).isEmpty();
    }
  }

  /** Follows pointers to a null pointer, which ends the walk, or to an address outside. */
  private static Program walk(int laps, boolean leadsOutside) {
    ProgramBuilder builder = new ProgramBuilder("walk");
    Data nodes = builder.data("nodes", (laps + 1) * Long.BYTES);
    for (int node = 0; node < laps; node++) {
      nodes.put(node * Long.BYTES, nodes.pointer((node + 1) * Long.BYTES));
    }
    nodes.put(laps * Long.BYTES, Literal.number(leadsOutside ? 1 : 0).content());
    Cell<Kind.Pointer> next = builder.data("next", Long.BYTES).put(0, nodes.pointer(0)).address(0);
    Literal<Kind.Pointer> none = new Literal<>(new byte[Long.BYTES]);
    builder.loop(
        () -> {
          builder.set(next, builder.load(nodes, next).pointer(0));
          builder.breakWhen(Condition.equal(next, none));
        });
    builder.respond(next);
    return builder.build();
  }
}
