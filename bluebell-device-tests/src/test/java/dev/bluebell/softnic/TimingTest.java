package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Hca;
import dev.bluebell.softnic.option.Clock;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimingTest {
  private static final SoftNicOptions TIMED = SoftNicOptions.parse("timing=connectx5");

  @Test
  void withoutTheOptionTimeIsNotModelled() {
    assertThat(SoftNicOptions.DEFAULT.timing()).isNull();
    assertThat(SoftNicOptions.parse("engine=poll,recorder=64").timing()).isNull();
  }

  @Test
  void virtualTimeBringsItsClockAndIsRunByPollers() {
    assertThat(TIMED.timing()).isEqualTo(Timing.CONNECTX5);
    assertThat(TIMED.engine()).isEqualTo(EngineMode.POLL);
    assertThat(TIMED.clock()).isInstanceOf(ManualClock.class);
  }

  @Test
  void virtualTimeKeepsAClockThatCanJump() {
    ManualClock clock = new ManualClock();
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withEngine(EngineMode.STEPPED)
            .withClock(clock)
            .withTiming(Timing.CONNECTX5);
    assertThat(options.clock()).isSameAs(clock);
    assertThat(options.engine()).isEqualTo(EngineMode.STEPPED);
  }

  @Test
  void virtualTimeRefusesAnEngineThreadLossReorderingAndAnAdversary() {
    for (String option :
        new String[] {"engine=thread", "loss=5%", "reorder-memory=20", "adversary=7"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SoftNicOptions.parse("timing=connectx5," + option))
          .withMessageContaining("timing=connectx5 of device soft uses a virtual clock");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> TIMED.withClock(Clock.system()));
  }

  @Test
  void anotherCardIsUnknown() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("timing=connectx9"))
        .withMessage("timing=connectx9 of device soft is unknown; it must be connectx5");
  }

  @Test
  void aMissingOrNonPositiveConstantIsRefused() {
    Map<Constant, Double> values = new EnumMap<>(Timing.CONNECTX5.values());
    values.remove(Constant.READ);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Timing("mine", values))
        .withMessage("READ of timing mine is null; it must be a positive number of ns");
    for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Timing.CONNECTX5.with(Constant.UNITS, wrong));
    }
  }

  @Test
  void oneConstantMayDiffer() {
    Timing faster = Timing.CONNECTX5.with(Constant.READ, 1000);
    assertThat(faster.get(Constant.READ)).isEqualTo(1000);
    assertThat(faster.get(Constant.WRITE)).isEqualTo(Timing.CONNECTX5.get(Constant.WRITE));
    assertThat(faster).isNotEqualTo(Timing.CONNECTX5);
  }

  @Test
  void aClientThatPollsReadsTheTimeOffTheDevicesClock() {
    try (Hca hca = new SoftNicProvider().open("soft:timing=connectx5").orElseThrow();
        Device device = Device.over(hca)) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      ProtectionDomain other = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(16);
      MemoryRegion from = domain.allocate(64, Access.LOCAL_WRITE);
      MemoryRegion to = other.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
      RcQueuePair client = domain.rcQueuePair(completions).create();
      RcQueuePair server = other.rcQueuePair(completions).create();
      server.connect(client.endpoint());
      client.connect(server.endpoint());
      long begin = hca.clock();
      client.write(to.remote()).gather(from, 0, 64).signaled(1);
      client.ringDoorbell();
      Completion completion = completions.poll();
      while (completion == null) {
        completion = completions.poll();
      }
      assertThat(completion.isSuccess()).isTrue();
      assertThat(hca.clock() - begin).isEqualTo(1590);
    }
  }
}
