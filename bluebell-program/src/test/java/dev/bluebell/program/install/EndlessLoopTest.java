package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A loop that never ends leaves turns to others, and ends with its queues. Whether the device's own
 * thread leaves turns to others is tested with that thread alone, in real time; its speed does not
 * matter.
 */
class EndlessLoopTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int MANY_TURNS = 100_000;

  private final ProgramBuilder builder = new ProgramBuilder("endless");
  private final Cell<Kind.Number> laps = builder.cell("laps", 0);
  private final Program program;
  private final Example example = Offloads.named("fetch-add").orElseThrow().example(1);

  EndlessLoopTest() {
    Cell<Kind.Number> never = builder.cell("never", 0);
    builder.loop(
        () -> {
          builder.add(laps, Literal.number(1));
          builder.breakWhen(Condition.equal(never.first(3), Literal.number(1, 3)));
        });
    builder.respond(laps);
    program = builder.build();
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void otherProgramsContinueDuringAnEndlessLoopThatEndsWithItsQueues(Target target) {
    for (Model model : Model.values()) {
      SoftNicOptions options =
          SoftNicOptions.DEFAULT
              .withWqeChecks(target == Target.CHECKED)
              .withFencedEnables(model == Model.ASSUMED);
      Plan plan = Compiler.compile(program, target, model);
      try (Device device = Device.over(VirtualTime.open(options));
          ProtectionDomain domain = device.allocateProtectionDomain();
          Trial other =
              new Trial(device, domain, Compiler.compile(example.program(), target, model))) {
        try (Trial endless = new Trial(device, domain, plan)) {
          endless.send(Map.of());
          for (long before = laps(endless, plan); laps(endless, plan) < before + 100; ) {
            assertThat(device.progress()).isPositive();
          }
          other.send(example.inputs().apply(other.addresses(example.program())));
          List<byte[]> answers = List.of();
          for (int turn = 0; answers.isEmpty(); turn++) {
            assertThat(turn).isLessThan(MANY_TURNS);
            device.progress();
            answers = other.answers();
          }
          assertThat(answers).hasSize(1);
          assertThat(endless.client().take()).isEmpty();
        }
        Trial.rest(device);
      }
    }
  }

  @Test
  void deviceThreadsServeOtherProgramsDuringAnEndlessLoop() {
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE);
    try (Device device = Device.over(SoftNic.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        ProtectionDomain clients = device.allocateProtectionDomain()) {
      Plan counting = Compiler.compile(example.program(), Target.CHECKED, Model.CONSERVATIVE);
      try (Installation other = Installation.install(device, domain, counting);
          Client caller = new Client(device, clients, counting.messageBytes())) {
        caller.connect(other.endpoint());
        other.connect(caller.endpoint());
        try (Installation endless = Installation.install(device, domain, plan);
            Client starter = new Client(device, clients, plan.messageBytes())) {
          starter.connect(endless.endpoint());
          endless.connect(starter.endpoint());
          starter.send(plan.encode(Map.of()));
          untilMore(endless, plan);
          caller.send(counting.encode(example.inputs().apply(other.addresses(example.program()))));
          assertThat(caller.await(1, PATIENCE)).hasSize(1);
          untilMore(endless, plan);
          assertThat(starter.take()).isEmpty();
        }
        // Its queues are gone, and the device accepts new ones.
        try (Client last = new Client(device, clients, 8)) {
          assertThat(last.endpoint()).isNotNull();
        }
      }
    }
  }

  /** Waits for laps that complete after this call. */
  private void untilMore(Installation endless, Plan plan) {
    long before = laps(endless, plan);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Idling idling = new Idling();
    while (laps(endless, plan) < before + 2) {
      assertThat(System.nanoTime() - deadline).as("the loop makes more laps in time").isNegative();
      idling.idle();
    }
  }

  private long laps(Trial endless, Plan plan) {
    return laps(endless.installation(), plan);
  }

  private long laps(Installation endless, Plan plan) {
    Data data = laps.data();
    return endless
        .region(plan.area(data.name()))
        .segment()
        .get(ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN), 0);
  }
}
