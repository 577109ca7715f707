package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Program;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.verifier.Mutations.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * If a program lacks one WAIT, enable or fence, the verifier refuses it, and it fails on the device
 * in some order; unless another barrier has the same effect, in which case neither happens.
 */
class MutantsTest {
  /** One in this many mutants is tried; 1 for all. */
  private static final int SHARE = Integer.getInteger("bluebell.mutants.share", 24);

  /**
   * The same for programs whose rings wrap, of which the short ones are tried if there is a choice.
   */
  private static final int SHARE_OF_LAPS = Integer.getInteger("bluebell.mutants.share", 1500);

  private static final long SEED = Long.getLong("bluebell.mutants.seed", 1);

  /**
   * Maximum number of orders for a mutant that must fail; a superfluous barrier is tried in the
   * few.
   */
  private static final int ORDERS = 2000;

  private static final int FEW_ORDERS = 10;

  /**
   * Mutants that are neither proved nor fail. A loop evaluates the condition of its branch in each
   * lap, with the same answer, so it overwrites an entry with its own content. And each lap of
   * turing writes a gate before it is fetched, so the gate need not be there initially; but the
   * verifier finds a NOP that becomes a request and is not enabled.
   */
  private static final Set<String> HARMLESS =
      Set.of(
          "loop in a branch, checked, conservative, one, without fence of WQE 92 of queue 0x43"
              + " (loop), an RDMA_WRITE",
          "loop in a branch, checked, conservative, one, without WAIT of WQE 93 of queue 0x43"
              + " (loop)",
          "loop in a branch, checked, assumed, one, without fence of WQE 74 of queue 0x43 (loop),"
              + " an RDMA_WRITE",
          "loop in a branch, checked, assumed, one, without fence of WQE 75 of queue 0x43 (loop), a"
              + " SEND_EN",
          "loop in a branch, unchecked, conservative, one, without WAIT of WQE 47 of queue 0x43"
              + " (loop)",
          "loop in a branch, unchecked, assumed, one, without fence of WQE 39 of queue 0x43 (loop),"
              + " a SEND_EN",
          "turing, checked, conservative, one, without SEND_EN of WQE 254 of queue 0x43 (loop)",
          "turing, checked, assumed, one, without SEND_EN of WQE 254 of queue 0x43 (loop)",
          "turing, unchecked, conservative, one, without SEND_EN of WQE 126 of queue 0x43 (loop)",
          "turing, unchecked, assumed, one, without SEND_EN of WQE 126 of queue 0x43 (loop)");

  static List<Offload> bounded() {
    return Constructs.programs().stream().filter(each -> !goesRound(each)).toList();
  }

  /** True when a ring wraps within one call. */
  private static boolean goesRound(Offload offload) {
    Program program = offload.example(1).program();
    return program.isUnbounded() || !Subprogram.of(program.statements()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("bounded")
  @Tag("slow")
  void aProgramWithoutABarrierIsRefusedAndFailsInSomeOrder(Offload offload) {
    forSome(offload, Calls.ONE, SHARE, MutantsTest::isRefusedAndFails);
  }

  private static void isRefusedAndFails(
      Subject subject, Mutation mutation, Orders orders, String what) {
    boolean superfluous = subject.isSuperfluous(mutation);
    assertThat(subject.isProved(mutation)).as(what).isEqualTo(superfluous);
    int count = superfluous ? FEW_ORDERS : ORDERS;
    assertThat(orders.fail(subject, mutation, count)).as(what).isNotEqualTo(superfluous);
  }

  static List<Offload> goingRound() {
    return (SHARE_OF_LAPS == 1 ? Constructs.programs() : Constructs.all())
        .stream().filter(each -> goesRound(each) || Constructs.answersMany(each)).toList();
  }

  /**
   * A lap has barriers for the next one, which only some programs need; only the verifier tells
   * which. If a mutant never fails, habits of this device provide the order, on which no program
   * may rely.
   */
  @ParameterizedTest
  @MethodSource("goingRound")
  @Tag("slow")
  void aProgramWithoutALapBarrierIsProvedOrFailsInSomeOrder(Offload offload) {
    for (Calls calls : callsGoingRound(offload)) {
      forSome(offload, calls, SHARE_OF_LAPS, MutantsTest::isProvedOrFails);
    }
  }

  private static void isProvedOrFails(
      Subject subject, Mutation mutation, Orders orders, String what) {
    boolean fails = orders.fail(subject, mutation, FEW_ORDERS);
    boolean proved = subject.isProved(mutation) || !fails && subject.isProvedAtLength(mutation);
    if (!fails && !proved) {
      fails = orders.fail(subject, mutation, ORDERS);
    }
    assertThat(fails && proved).as(what).isFalse();
    if (HARMLESS.contains("%s, without %s".formatted(subject, mutation.what()))) {
      assertThat(fails || proved).as("%s is listed as harmless without need", what).isFalse();
    } else {
      assertThat(fails || proved || subject.isOrderedByHabit(mutation)).as(what).isTrue();
    }
  }

  private static List<Calls> callsGoingRound(Offload offload) {
    List<Calls> calls = new ArrayList<>();
    if (goesRound(offload)) {
      calls.add(Calls.ONE);
    }
    if (Constructs.answersMany(offload)) {
      calls.add(Calls.MANY);
    }
    return calls;
  }

  /** A property of a mutant, named in {@code what} when it does not hold. */
  private interface Claim {
    void test(Subject subject, Mutation mutation, Orders orders, String what);
  }

  /** Tests a property of some mutants of a program. */
  private static void forSome(Offload offload, Calls calls, int share, Claim claim) {
    Random random = new Random(SEED + offload.name().hashCode());
    Orders orders = new Orders();
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Subject subject = new Subject(offload, target, model, calls);
        for (Mutation mutation : subject.mutations()) {
          if (random.nextInt(share) == 0) {
            String what =
                "bluebell.mutants.seed=%d, %s, without %s"
                    .formatted(SEED, subject, mutation.what());
            claim.test(subject, mutation, orders, what);
          }
        }
      }
    }
  }
}
