package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Program;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.verify.Habits;
import dev.bluebell.program.verify.Mutations;
import dev.bluebell.program.verify.Mutations.Mutation;
import dev.bluebell.program.verify.Rearms;
import dev.bluebell.program.verify.Rules;
import dev.bluebell.program.verify.Superfluous;
import dev.bluebell.program.verify.Verdict;
import dev.bluebell.program.verify.Verifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
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

  private static final int ORDERS_OF_SUPERFLUOUS = 10;
  private static final int CALLS = 3;
  private static final int MAX_REQUESTS = 20_000;

  /** What this device does and others need not: M5, M54 and M158. */
  private static final Habits HABITS = new Habits(64, 16, true);

  private static final int MAX_REQUESTS_WITH_HABITS = 4_000_000;

  /** One variant of one program. */
  private record Variant(
      Offload offload,
      Target target,
      Model model,
      Calls calls,
      Plan plan,
      ProgramImage image,
      Rules rules,
      Mutation mutation) {
    Verdict verdict() {
      return verdict(rules, MAX_REQUESTS);
    }

    /** True when it does without on devices that do as this one does. */
    boolean isOrderedByHabit() {
      return verdict(rules.with(HABITS), MAX_REQUESTS_WITH_HABITS).isProved();
    }

    private Verdict verdict(Rules of, int maxRequests) {
      ProgramImage mutant = mutation.of(image);
      return calls == Calls.REARMED
          ? Verifier.verify(mutant, of, data(mutant), maxRequests, Rearms.of(plan, mutant))
          : Verifier.verify(mutant, of, data(mutant), maxRequests);
    }

    @Override
    public String toString() {
      return "bluebell.mutants.seed=%d, %s, %s, %s, %s, without %s"
          .formatted(SEED, offload.name(), target, model, calls, mutation.what());
    }
  }

  static List<Offload> bounded() {
    return OrdersTest.programs().stream().filter(each -> !goesRound(each)).toList();
  }

  /** Some ring begins again in one call. */
  private static boolean goesRound(Offload offload) {
    Program program = offload.example(1).program();
    return program.isUnbounded() || !Subprogram.of(program.statements()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void whatLacksABarrierIsRefusedAndFailsInSomeOrder(Offload offload) {
    for (Variant each : variants(offload, Calls.ONE, SHARE)) {
      boolean superfluous = Superfluous.is(each.image, each.rules, each.mutation);
      assertThat(each.verdict().isProved()).as(each.toString()).isEqualTo(superfluous);
      assertThat(fails(each, superfluous)).as(each.toString()).isNotEqualTo(superfluous);
    }
  }

  static List<Offload> goingRound() {
    return (SHARE_OF_LAPS == 1 ? OrdersTest.programs() : Constructs.all())
        .stream().filter(each -> goesRound(each) || OrdersTest.answersMany(each)).toList();
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
      for (Variant each : variants(offload, calls, SHARE_OF_LAPS)) {
        boolean proved = each.verdict().isProved();
        boolean fails = fails(each, proved);
        assertThat(fails && proved).as(each.toString()).isFalse();
        assertThat(fails || proved || each.isOrderedByHabit()).as(each.toString()).isTrue();
      }
    }
  }

  private static List<Calls> callsGoingRound(Offload offload) {
    List<Calls> calls = new ArrayList<>();
    if (goesRound(offload)) {
      calls.add(Calls.ONE);
    }
    if (OrdersTest.answersMany(offload)) {
      calls.add(Calls.MANY);
    }
    if (OrdersTest.isArmedByItsClient(offload)) {
      calls.add(Calls.REARMED);
    }
    return calls;
  }

  /** Some of the variants of a program. */
  private static List<Variant> variants(Offload offload, Calls calls, int share) {
    Random random = new Random(SEED + offload.name().hashCode());
    List<Variant> variants = new ArrayList<>();
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(offload.example(1).program(), target, model, calls);
        ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
        Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
        for (Mutation mutation : Mutations.of(image)) {
          if (random.nextInt(share) == 0) {
            variants.add(new Variant(offload, target, model, calls, plan, image, rules, mutation));
          }
        }
      }
    }
    return variants;
  }

  /** Whether an image is proved, whatever is in its data. */
  static boolean isProved(ProgramImage image, Rules rules) {
    return Verifier.verify(image, rules, data(image), MAX_REQUESTS).isProved();
  }

  private static Set<String> data(ProgramImage image) {
    return image.regions().stream()
        .map(Region::name)
        .filter(name -> name.startsWith("data "))
        .collect(Collectors.toSet());
  }

  private static boolean fails(Variant of, boolean superfluous) {
    int orders = superfluous ? ORDERS_OF_SUPERFLUOUS : ORDERS;
    int calls = of.calls == Calls.ONE ? 1 : CALLS;
    for (int seed = 1; seed <= orders; seed++) {
      List<Example> examples = OrdersTest.examples(of.offload, seed, calls);
      try (Rehearsal rehearsal = new Rehearsal(of.target, of.model, seed)) {
        if (!rehearsal.complaint(of.calls, examples, of.mutation::of).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }
}
