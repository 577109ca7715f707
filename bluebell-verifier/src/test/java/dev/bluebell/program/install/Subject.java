package dev.bluebell.program.install;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verifier.Habits;
import dev.bluebell.verifier.Mutations;
import dev.bluebell.verifier.Mutations.Mutation;
import dev.bluebell.verifier.Rules;
import dev.bluebell.verifier.Superfluous;
import dev.bluebell.verifier.Verifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A compiled program and its mutants, each of which lacks a barrier and is proved or fails in some
 * order.
 */
final class Subject {
  private static final int CALLS = 3;
  private static final int MAX_REQUESTS = 20_000;
  private static final int MAX_REQUESTS_AT_LENGTH = 300_000;

  /** Habits of this device that others need not have: M5, M54 and M158. */
  private static final Habits HABITS = new Habits(64, 16, true);

  private static final int MAX_REQUESTS_WITH_HABITS = 4_000_000;

  /** Number of orders whose calls are compiled once. */
  private static final int PREPARED = 200;

  private final Offload offload;
  private final Target target;
  private final Model model;
  private final Calls calls;
  private final ProgramImage image;
  private final Rules rules;
  private final Map<Integer, CompiledCalls> prepared = new HashMap<>();

  Subject(Offload offload, Target target, Model model, Calls calls) {
    this.offload = offload;
    this.target = target;
    this.model = model;
    this.calls = calls;
    Plan plan = Compiler.compile(offload.example(1).program(), target, model, calls);
    image = ImageBuilder.build(plan, Placement.example(plan));
    rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
  }

  /** Its barriers that can be removed. */
  List<Mutation> mutations() {
    return Mutations.of(image);
  }

  /** True when another barrier has the same effect. */
  boolean isSuperfluous(Mutation mutation) {
    return Superfluous.is(image, rules, mutation);
  }

  /** True when the program is proved without the barrier. */
  boolean isProved(Mutation mutation) {
    return isProved(mutation, rules, MAX_REQUESTS);
  }

  /** As {@link #isProved(Mutation)}, with more requests. */
  boolean isProvedAtLength(Mutation mutation) {
    return isProved(mutation, rules, MAX_REQUESTS_AT_LENGTH);
  }

  /** True when the program is proved without the barrier on devices with the habits of this one. */
  boolean isOrderedByHabit(Mutation mutation) {
    return isProved(mutation, rules.with(HABITS), MAX_REQUESTS_WITH_HABITS);
  }

  private boolean isProved(Mutation mutation, Rules of, int maxRequests) {
    return isProved(mutation.of(image), of, maxRequests);
  }

  /** Whether an image is proved for any content of its data. */
  static boolean isProved(ProgramImage image, Rules rules) {
    return isProved(image, rules, MAX_REQUESTS);
  }

  private static boolean isProved(ProgramImage image, Rules rules, int maxRequests) {
    return Verifier.verify(image, rules, data(image), maxRequests).isProved();
  }

  /**
   * Whether a build proves a program for this target and model. A build tries each target and each
   * model once where a proof takes seconds, and all pairs if {@code bluebell.proofs.share} is 1.
   */
  static boolean isTried(Target target, Model model) {
    return Integer.getInteger("bluebell.proofs.share", 0) == 1
        || (target == Target.CHECKED) == (model == Model.CONSERVATIVE);
  }

  /** Names of the regions of an image that contain data of the program's source. */
  static Set<String> data(ProgramImage image) {
    return image.regions().stream()
        .map(Region::name)
        .filter(name -> name.startsWith("data "))
        .collect(Collectors.toSet());
  }

  /** True when calls in the order of a seed fail without the barrier. */
  boolean fails(Mutation mutation, int seed) {
    CompiledCalls compiled =
        seed > PREPARED ? compile(seed) : prepared.computeIfAbsent(seed, this::compile);
    try (Rehearsal rehearsal = new Rehearsal(target, model, seed)) {
      return !rehearsal.complaint(compiled, mutation::of).isEmpty();
    }
  }

  private CompiledCalls compile(int seed) {
    int count = calls == Calls.ONE ? 1 : CALLS;
    return CompiledCalls.of(CompiledCalls.examples(offload, seed, count), target, model, calls);
  }

  @Override
  public String toString() {
    return "%s, %s, %s, %s".formatted(offload.name(), target, model, calls);
  }
}
