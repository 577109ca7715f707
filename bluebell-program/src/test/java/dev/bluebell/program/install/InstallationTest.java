package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.Data;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.FetchAdd;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import org.junit.jupiter.api.Test;

/** Installation of programs on a device. */
class InstallationTest {
  @Test
  void aFailureOfTheClientIsReportedBeforeWhatFollowsFromIt() {
    ProgramBuilder builder = new ProgramBuilder("load");
    Data data = builder.data("data", 8);
    builder.respond(builder.load(data, builder.pointer("at")).bytes(0, 8));
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    try (Device device = Device.open("soft:engine=poll");
        ProtectionDomain domain = device.allocateProtectionDomain();
        Trial trial = new Trial(device, domain, plan)) {
      Installation load = trial.installation();
      assertThat(load.failure()).isEmpty();
      RcQueuePair client = trial.client().pair();
      RemoteMemory memory =
          new RemoteMemory(load.region(plan.area("data")).address(), 0x100, Long.BYTES);
      client.read(memory).scatter(trial.client().buffer(), 0, 8).signaled(1);
      client.ringDoorbell();
      Trial.rest(device);
      assertThat(load.failure().orElseThrow())
          .startsWith("QP 0x%x".formatted(load.endpoint().qpn()))
          .contains(
              " Also in the error state: worker: QP 0x",
              "reaches outside the region of rkey",
              "(If the client's queue failed first, the others may have failed because of that:"
                  + " when a client breaks its connection, the program runs once more, with the"
                  + " inputs of the call before, or zeros if there was none.)");
    }
  }

  @Test
  void anInstallationThatFailsLeavesNothingOnTheDevice() {
    Plan plan = Compiler.compile(new FetchAdd(0).program(), Target.CHECKED, Model.CONSERVATIVE);
    VirtualTime nic = VirtualTime.open(SoftNicOptions.DEFAULT);
    try (Device device = Device.over(nic);
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  Installation.install(
                      device,
                      domain,
                      plan,
                      _ -> {
                        throw new IllegalStateException("no image");
                      }));
      assertThat(nic.diagnosis().orElseThrow().objects())
          .noneMatch(object -> object.startsWith("CQ ") || object.startsWith("QP "));
    }
  }
}
