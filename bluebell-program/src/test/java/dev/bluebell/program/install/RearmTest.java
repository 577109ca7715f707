package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.FetchAdd;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A client rearms a program for its next call, by WRITEs to its rings. */
class RearmTest {
  /** Number of calls that use up all indices of the worker. */
  private static final int ROUND = 1100;

  @Test
  void aRearmedProgramSurvivesTheWrapOfAllIndices() {
    rearmed(
        "list-walk",
        ROUND,
        (device, example, rearmed) -> {
          Map<Input<?>, byte[]> inputs =
              Rehearsal.inputs(example, example.program(), rearmed.addresses);
          for (int call = 0; call < ROUND; call++) {
            rearmed.client.send(inputs);
            for (int turn = 0; !rearmed.client.isOver(); turn++) {
              assertThat(turn).as("call %d", call).isLessThan(1000);
              device.progress();
              assertThat(rearmed.client.take()).as("call %d", call).hasSizeLessThan(2);
            }
          }
          assertThatIllegalStateException()
              .isThrownBy(() -> rearmed.client.send(inputs))
              .withMessageContaining(
                  "was installed for %d calls, and all were made".formatted(ROUND));
        });
  }

  @Test
  void theNextCallWaitsUntilTheLastOneIsOver() {
    rearmed(
        "hash-get-48",
        2,
        (device, example, rearmed) -> {
          Map<Input<?>, byte[]> inputs =
              Rehearsal.inputs(example, example.program(), rearmed.addresses);
          rearmed.client.send(inputs);
          assertThatIllegalStateException()
              .isThrownBy(() -> rearmed.client.send(inputs))
              .withMessageContaining("a call is under way");
          Trial.rest(device);
          assertThat(rearmed.client.take()).isNotNull();
          rearmed.client.send(inputs);
        });
  }

  @Test
  void anInstallationThatTheDeviceRefusesLeavesNothingOnIt() {
    Example example = Offloads.named("list-walk").orElseThrow().example(1);
    Plan plan =
        Compiler.compile(example.program(), Target.CHECKED, Model.CONSERVATIVE, Calls.REARMED);
    VirtualTime nic = VirtualTime.open(SoftNicOptions.DEFAULT);
    try (Device device = Device.over(nic);
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> Installation.installRearmed(device, domain, plan, 20_000));
      assertThat(nic.diagnosis().orElseThrow().objects())
          .noneMatch(object -> object.startsWith("CQ ") || object.startsWith("QP "));
    }
  }

  @Test
  void aLauncherHasRoomForAsManyCallsAsItsRing() {
    Plan plan =
        Compiler.compile(
            new FetchAdd(0).program(), Target.CHECKED, Model.CONSERVATIVE, Calls.REARMED);
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      for (int calls : new int[] {Integer.MIN_VALUE, -1, 0}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Installation.installRearmed(device, domain, plan, calls))
            .withMessage("%d calls; give 1 or more".formatted(calls));
      }
      for (int calls : new int[] {1 << 15, 1 << 30, Integer.MAX_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Installation.installRearmed(device, domain, plan, calls))
            .withMessageContaining("sendQueue must be from 1 to 32768");
      }
    }
  }

  private interface Body {
    void run(Device device, Example example, Rearmed rearmed);
  }

  private static void rearmed(String service, int calls, Body body) {
    Example example = Offloads.named(service).orElseThrow().example(1);
    Program program = example.program();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, Calls.REARMED);
    assertThat(calls * plan.wqebbs(Lane.WORKER) > 1 << 16).isEqualTo(calls == ROUND);
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        Rearmed rearmed =
            new Rearmed(device, domain, program, plan, calls, UnaryOperator.identity())) {
      body.run(device, example, rearmed);
    }
  }
}
