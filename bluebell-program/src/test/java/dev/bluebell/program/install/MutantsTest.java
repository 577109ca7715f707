package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.verify.Mutations;
import dev.bluebell.program.verify.Mutations.Mutation;
import dev.bluebell.program.verify.Rules;
import dev.bluebell.program.verify.Superfluous;
import dev.bluebell.program.verify.Verifier;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program with one WAIT, enable or fence too few is refused by the verifier, and fails on the
 * device in some order; unless another one does the same, and then neither is so.
 */
class MutantsTest {
  /** One of so many is tried; 1 for all. */
  private static final int SHARE = Integer.getInteger("bluebell.mutants.share", 24);

  private static final long SEED = Long.getLong("bluebell.mutants.seed", 1);

  /** Orders that a device may take: as many as it takes to fail, or all of the few. */
  private static final int ORDERS = 1000;

  private static final int ORDERS_OF_SUPERFLUOUS = 10;
  private static final int MAX_REQUESTS = 200_000;

  /** Of a loop without a bound nothing is proved: it may go on for ever, and may have to. */
  static List<Offload> programs() {
    return Stream.concat(Constructs.all().stream(), Constructs.services().stream())
        .filter(offload -> !offload.example(1).program().isUnbounded())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void whatLacksABarrierIsRefusedAndFailsInSomeOrder(Offload offload) {
    Random random = new Random(SEED + offload.name().hashCode());
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(offload.example(1).program(), target, model);
        ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
        Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
        List<Mutation> mutations = Mutations.of(image);
        for (int i = 0; i < mutations.size(); i++) {
          if (random.nextInt(SHARE) == 0) {
            Mutation mutation = mutations.get(i);
            String what =
                "bluebell.mutants.seed=%d, %s, %s, %s without %s"
                    .formatted(SEED, offload.name(), target, model, mutation.what());
            boolean superfluous = Superfluous.is(image, rules, mutation);
            assertThat(isProved(mutation.image(), rules)).as(what).isEqualTo(superfluous);
            assertThat(fails(offload, target, model, i, superfluous))
                .as(what)
                .isNotEqualTo(superfluous);
          }
        }
      }
    }
  }

  /** Whether an image is proved, whatever is in its data. */
  static boolean isProved(ProgramImage image, Rules rules) {
    Set<String> data =
        image.regions().stream()
            .map(Region::name)
            .filter(name -> name.startsWith("data "))
            .collect(Collectors.toSet());
    return Verifier.verify(image, rules, data, MAX_REQUESTS).isProved();
  }

  private static boolean fails(
      Offload offload, Target target, Model model, int mutation, boolean superfluous) {
    int orders = superfluous ? ORDERS_OF_SUPERFLUOUS : ORDERS;
    for (int seed = 1; seed <= orders; seed++) {
      try (Rehearsal rehearsal = new Rehearsal(target, model, seed)) {
        if (!rehearsal
            .complaint(offload.example(seed), image -> Mutations.of(image).get(mutation).image())
            .isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }
}
