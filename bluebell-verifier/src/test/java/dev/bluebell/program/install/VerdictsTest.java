package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verifier.Mutations;
import dev.bluebell.verifier.Mutations.Mutation;
import dev.bluebell.verifier.Rules;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verifier and device never contradict each other: a proved program fails in no order. */
class VerdictsTest {
  private static final int PROGRAMS = Integer.getInteger("bluebell.verdicts", 1);
  private static final int MUTANTS = Integer.getInteger("bluebell.verdicts.mutants", 1);
  private static final int ORDERS = Integer.getInteger("bluebell.verdicts.orders", 5);
  private static final long SEED = Long.getLong("bluebell.verdicts.seed", 1);
  private static final int CALLS = 3;

  @Test
  void aProgramProvedWithoutABarrierFailsInNoOrder() {
    for (long seed = SEED; seed < SEED + PROGRAMS; seed++) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          noneContradicts(seed, target, model, Calls.ONE);
        }
      }
    }
  }

  @Test
  @Tag("slow")
  void aProgramForManyCallsProvedWithoutABarrierFailsInNoOrder() {
    for (long seed = SEED; seed < SEED + Math.ceilDiv(PROGRAMS, 4); seed++) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          noneContradicts(seed, target, model, Calls.MANY);
        }
      }
    }
  }

  private static void noneContradicts(long seed, Target target, Model model, Calls calls) {
    List<Example> examples = Collections.nCopies(calls == Calls.ONE ? 1 : CALLS, example(seed));
    CompiledCalls compiled = CompiledCalls.of(examples, target, model, calls);
    Plan plan = compiled.plan();
    ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
    Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
    List<Mutation> mutations = Mutations.of(image);
    Random random = new Random(seed);
    for (int i = 0; i < MUTANTS; i++) {
      Mutation mutation = mutations.get(random.nextInt(mutations.size()));
      if (Subject.isProved(mutation.of(image), rules)) {
        for (long order = 1; order <= ORDERS; order++) {
          try (Rehearsal rehearsal = new Rehearsal(target, model, order)) {
            assertThat(rehearsal.complaint(compiled, mutation::of))
                .as(
                    "bluebell.verdicts.seed=%d, %s, %s, %s calls, adversary %d, without %s",
                    seed, target, model, calls, order, mutation.what())
                .isEmpty();
          }
        }
      }
    }
  }

  private static Example example(long seed) {
    RandomProgram source = new RandomProgram(new Random(seed), RandomProgram.Part.BREAKS);
    return new Example(
        source.program(),
        at -> source.inputs(Objects.requireNonNull(at.get(source.program().data().getFirst()))),
        (inputs, tables) -> {
          throw new UnsupportedOperationException("this is answered by the program alone");
        },
        at -> List.of());
  }
}
