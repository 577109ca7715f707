package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.ChainWrite;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.time.Duration;
import java.util.List;
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

  @Test
  void aMessageThatTheFirstReplicaDoesNotTakeIsReported() {
    ManualClock clock = new ManualClock();
    SoftNic nic =
        SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(clock));
    Plan plan =
        Compiler.compile(
            new ChainWrite(1, 2, 64).links().getFirst().program(),
            Target.CHECKED,
            Model.CONSERVATIVE);
    try (Device device = Device.over(nic);
        ProtectionDomain domain = device.allocateProtectionDomain();
        Chain chain =
            new Chain(
                new Chain.Host(device, domain),
                List.of(new Chain.Host(device, domain)),
                List.of(plan))) {
      chain.links().getFirst().close();
      chain.send(new byte[plan.messageBytes()]);
      assertThat(chain.take()).isEmpty();
      for (int second = 0; second < 60; second++) {
        while (nic.step() > 0) {}
        clock.advance(1_000_000_000);
      }
      assertThatThrownBy(() -> chain.await(1, Duration.ZERO))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("RETRY_EXCEEDED");
    }
  }
}
