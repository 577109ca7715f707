package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.ChainWrite;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import org.junit.jupiter.api.Test;

/** Links of a chain, each on the device of one replica. */
class LinkTest {
  @Test
  void aLinkForManyCallsIsRefused() {
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      Plan plan =
          Compiler.compile(
              new ChainWrite(1, 2, 64).links().getFirst().program(),
              Target.CHECKED,
              Model.CONSERVATIVE,
              Calls.MANY);
      assertThatThrownBy(() -> Installation.installLink(device, domain, plan))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a link of a chain is for one");
    }
  }
}
