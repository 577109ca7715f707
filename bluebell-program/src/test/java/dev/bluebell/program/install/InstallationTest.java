package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.FetchAdd;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import org.junit.jupiter.api.Test;

/** Installation of programs on a device. */
class InstallationTest {
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
