package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every construct and service is correct in any order of the device's steps. */
class OrdersTest {
  private static final int ORDERS = Integer.getInteger("bluebell.orders", 2);
  private static final int ORDERS_OF_MANY = Integer.getInteger("bluebell.orders", 1);
  private static final int CALLS = Integer.getInteger("bluebell.orders.calls", 4);
  private static final long SEED = Long.getLong("bluebell.orders.seed", 1);

  static List<Offload> programs() {
    return Constructs.programs();
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Tag("slow")
  void aProgramAnswersRightInEveryOrder(Offload offload) {
    itIsRight(offload, Calls.ONE, 1, ORDERS);
  }

  static List<Offload> programsOfManyCalls() {
    return programs().stream().filter(Constructs::answersMany).toList();
  }

  @ParameterizedTest
  @MethodSource("programsOfManyCalls")
  @Tag("slow")
  void manyCallsAreAnsweredRightInEveryOrder(Offload offload) {
    itIsRight(offload, Calls.MANY, CALLS, ORDERS_OF_MANY);
  }

  private static void itIsRight(Offload offload, Calls calls, int count, int orders) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        String what = "%s, %s, %s, %s".formatted(offload.name(), target, model, calls);
        try (Rehearsal plain = Rehearsal.plain(target, model)) {
          CompiledCalls compiled =
              CompiledCalls.of(CompiledCalls.examples(offload, SEED, count), target, model, calls);
          assertThat(complaint(plain, compiled)).as("%s, plain", what).isEmpty();
        }
        for (long seed = SEED; seed < SEED + orders; seed++) {
          CompiledCalls compiled =
              CompiledCalls.of(CompiledCalls.examples(offload, seed, count), target, model, calls);
          try (Rehearsal rehearsal = new Rehearsal(target, model, seed)) {
            assertThat(complaint(rehearsal, compiled))
                .as("bluebell.orders.seed=%d, %s", seed, what)
                .isEmpty();
          }
        }
      }
    }
  }

  private static String complaint(Rehearsal rehearsal, CompiledCalls calls) {
    return rehearsal.complaint(calls, UnaryOperator.identity());
  }
}
