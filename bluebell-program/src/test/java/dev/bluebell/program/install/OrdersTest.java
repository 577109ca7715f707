package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Program;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every construct and service is right in whatever order the device executes requests. */
class OrdersTest {
  private static final int ORDERS = Integer.getInteger("bluebell.orders", 2);
  private static final int ORDERS_OF_MANY = Integer.getInteger("bluebell.orders", 1);
  private static final int CALLS = Integer.getInteger("bluebell.orders.calls", 4);
  private static final long SEED = Long.getLong("bluebell.orders.seed", 1);

  static List<Offload> programs() {
    return Stream.concat(Constructs.all().stream(), Constructs.services().stream()).toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void itIsRightInEveryOrder(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        for (long seed = SEED; seed < SEED + ORDERS; seed++) {
          try (Rehearsal rehearsal = new Rehearsal(target, model, seed)) {
            assertThat(rehearsal.complaint(offload.example(seed), UnaryOperator.identity()))
                .as("bluebell.orders.seed=%d, %s, %s, %s", seed, offload.name(), target, model)
                .isEmpty();
          }
        }
      }
    }
  }

  static List<Offload> programsOfManyCalls() {
    return programs().stream()
        .filter(offload -> answersMany(offload.example(1).program()))
        .toList();
  }

  private static boolean answersMany(Program program) {
    return !program.isUnbounded() && Subprogram.of(program.statements()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("programsOfManyCalls")
  void itIsRightCallAfterCallInEveryOrder(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        for (long seed = SEED; seed < SEED + ORDERS_OF_MANY; seed++) {
          List<Example> examples =
              LongStream.range(seed, seed + CALLS).mapToObj(offload::example).toList();
          try (Rehearsal rehearsal = new Rehearsal(target, model, seed)) {
            assertThat(rehearsal.complaint(Calls.MANY, examples, UnaryOperator.identity()))
                .as("bluebell.orders.seed=%d, %s, %s, %s", seed, offload.name(), target, model)
                .isEmpty();
          }
        }
      }
    }
  }
}
