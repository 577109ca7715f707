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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program with one WAIT, enable or fence too few is refused by the verifier, and fails on the
 * device in some order; unless another one does the same, and then neither is so.
 */
class MutantsTest {
  /** One of so many is tried; 1 for all. */
  private static final int SHARE = Integer.getInteger("bluebell.mutants.share", 24);

  /** Of programs whose rings go round, one of so many, of the short ones if there is a choice. */
  private static final int SHARE_OF_LAPS = Integer.getInteger("bluebell.mutants.share", 1500);

  private static final long SEED = Long.getLong("bluebell.mutants.seed", 1);

  /** Orders that a device may take: as many as it takes to fail, or all of the few. */
  private static final int ORDERS = 2000;

  private static final int FEW_ORDERS = 10;

  /**
   * What is neither proved nor fails. The branch of a loop is asked again in each lap, where the
   * answer is the same: what is written over an entry then is what is there. And a gate of turing
   * is written by each lap before it is fetched, so it need not be there at first; but the verifier
   * finds that a NOP becomes one and is not enabled then.
   */
  private static final Set<String> HARMLESS =
      Set.of(
          "loop in a branch, checked, conservative, one, without fence of WQE 92 of queue 0x43"
              + " (loop), a RDMA_WRITE",
          "loop in a branch, checked, conservative, one, without WAIT of WQE 93 of queue 0x43"
              + " (loop)",
          "loop in a branch, checked, assumed, one, without fence of WQE 74 of queue 0x43 (loop), a"
              + " RDMA_WRITE",
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

  /** Some ring begins again in one call. */
  private static boolean goesRound(Offload offload) {
    Program program = offload.example(1).program();
    return program.isUnbounded() || !Subprogram.of(program.statements()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void whatLacksABarrierIsRefusedAndFailsInSomeOrder(Offload offload) {
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
   * A lap has barriers for the next one, which only some programs need: which do, the verifier says
   * alone. What fails in no order has its order from what this device happens to do, on which no
   * program may rely.
   */
  @ParameterizedTest
  @MethodSource("goingRound")
  void whatLacksABarrierOfALapIsProvedOrFailsInSomeOrder(Offload offload) {
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
      assertThat(fails || proved).as("%s is in this list in vain", what).isFalse();
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
    if (Constructs.isArmedByItsClient(offload)) {
      calls.add(Calls.REARMED);
    }
    return calls;
  }

  /** What is claimed of a variant, which it says when it is not so. */
  private interface Claim {
    void test(Subject subject, Mutation mutation, Orders orders, String what);
  }

  /** Tests a claim on some of the variants of a program. */
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
