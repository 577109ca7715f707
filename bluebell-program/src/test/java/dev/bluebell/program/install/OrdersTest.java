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
    itIsRight(offload, Calls.ONE, 1, ORDERS);
  }

  static List<Offload> programsOfManyCalls() {
    return programs().stream().filter(OrdersTest::answersMany).toList();
  }

  /** A machine that has halted needs another tape for the next call. */
  static boolean answersMany(Offload offload) {
    return !offload.name().equals("turing");
  }

  static List<Offload> programsThatClientsArm() {
    return programs().stream().filter(OrdersTest::isArmedByItsClient).toList();
  }

  static boolean isArmedByItsClient(Offload offload) {
    Program program = offload.example(1).program();
    return !program.isUnbounded() && Subprogram.of(program.statements()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("programsOfManyCalls")
  void itIsRightCallAfterCallInEveryOrder(Offload offload) {
    itIsRight(offload, Calls.MANY, CALLS, ORDERS_OF_MANY);
  }

  @ParameterizedTest
  @MethodSource("programsThatClientsArm")
  void itIsRightInEveryOrderWhenItsClientArmsItAgain(Offload offload) {
    itIsRight(offload, Calls.REARMED, CALLS - 1, ORDERS_OF_MANY);
  }

  private static void itIsRight(Offload offload, Calls calls, int count, int orders) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        String what = "%s, %s, %s, %s".formatted(offload.name(), target, model, calls);
        try (Rehearsal plain = Rehearsal.plain(target, model)) {
          CompiledCalls compiled =
              CompiledCalls.of(examples(offload, SEED, count), target, model, calls);
          assertThat(complaint(plain, compiled)).as("%s, plain", what).isEmpty();
        }
        for (long seed = SEED; seed < SEED + orders; seed++) {
          CompiledCalls compiled =
              CompiledCalls.of(examples(offload, seed, count), target, model, calls);
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

  /** Calls of a program, two and two alike: what is asked first may be in no table of another. */
  static List<Example> examples(Offload offload, long seed, int count) {
    return LongStream.range(0, count).mapToObj(call -> offload.example(seed + call / 2)).toList();
  }
}
