package dev.bluebell.program.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.compare.Comparison.Way;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.offload.ChainWrite;
import dev.bluebell.program.offload.ChainWrite.Link;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.verify.Rules;
import dev.bluebell.program.verify.Verifier;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Who has the acknowledgement of a write knows that all replicas have the value. Threads of the
 * hosts and of the client run one device, so its time is held.
 */
class ChainComparisonTest {
  private static final int ORDERS = Integer.getInteger("bluebell.orders", 3);
  private static final long SEED = Long.getLong("bluebell.orders.seed", 1);

  @Test
  void allReplicasHaveTheValueWhenAProgramAcknowledgesItInEveryOrder() {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        for (long seed = SEED; seed < SEED + ORDERS; seed++) {
          SoftNicOptions options = options(target, model).withAdversary(seed);
          try (Device device = Device.over(SoftNic.open(options));
              ChainComparison chain = new ChainComparison(device, false, target, model)) {
            // The value is looked at as soon as the acknowledgement is there.
            assertThat(chain.call(Way.PROGRAM, seed).answers())
                .as("bluebell.orders.seed=%d, %s, %s", seed, target, model)
                .hasSize(1);
          }
        }
      }
    }
  }

  @Test
  void allThreeWaysAcknowledgeTheSame() {
    try (Device device = Device.over(SoftNic.open(options(Target.CHECKED, Model.CONSERVATIVE)));
        ChainComparison chain =
            new ChainComparison(device, false, Target.CHECKED, Model.CONSERVATIVE)) {
      for (Way way : Way.values()) {
        assertThat(chain.call(way, 5).answers()).as("%s", way).hasSize(1);
      }
    }
  }

  @Test
  void bothWaysTakeVirtualTime() {
    SoftNicOptions options =
        options(Target.CHECKED, Model.CONSERVATIVE).withTiming(Timing.CONNECTX5);
    try (Device device = Device.over(SoftNic.open(options));
        ChainComparison chain =
            new ChainComparison(device, true, Target.CHECKED, Model.CONSERVATIVE)) {
      long program = chain.call(Way.PROGRAM, 1).nanos();
      long oneSided = chain.call(Way.ONE_SIDED, 1).nanos();
      assertThat(program).isPositive();
      assertThat(oneSided).isPositive();
    }
  }

  @Test
  void aLinkWhoseMessagesComeByAQueuePairOfTheirOwnIsProved() {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        try (Device device = Device.over(SoftNic.open(options(target, model)));
            ProtectionDomain domain = device.allocateProtectionDomain()) {
          for (Link link : new ChainWrite(3, 2, 64).links()) {
            Plan plan = Compiler.compile(link.program(), target, model);
            try (Installation at = Installation.installLink(device, domain, plan)) {
              ProgramImage image = at.image();
              assertThat(image.entryPoints().getFirst().qpn()).isEqualTo(at.endpoint().qpn());
              Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
              assertThat(Verifier.verify(image, rules, Set.of("data table"), 10_000).refusals())
                  .isEmpty();
            }
          }
        }
      }
    }
  }

  @Test
  void aLinkIsForOneCall() {
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

  private static SoftNicOptions options(Target target, Model model) {
    return SoftNicOptions.DEFAULT
        .withEngine(EngineMode.POLL)
        .withClock(new ManualClock())
        .withWqeChecks(target == Target.CHECKED)
        .withFencedEnables(model == Model.ASSUMED);
  }
}
