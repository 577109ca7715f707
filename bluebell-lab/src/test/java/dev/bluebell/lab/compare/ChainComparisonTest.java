package dev.bluebell.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.lab.compare.Comparison.Way;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.verbs.Device;
import org.junit.jupiter.api.Test;

/**
 * When a client has the acknowledgement of a write, all replicas have the value. Threads of the
 * hosts and of the client drive one device, so its clock is stopped.
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
            // The value is checked as soon as the acknowledgement has arrived.
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

  private static SoftNicOptions options(Target target, Model model) {
    return SoftNicOptions.DEFAULT
        .withEngine(EngineMode.POLL)
        .withClock(new ManualClock())
        .withWqeChecks(target == Target.CHECKED)
        .withFencedEnables(model == Model.ASSUMED);
  }
}
