package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.MaskedFetchAdd;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Ring;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs whose numbers advance with the laps, correctly and incorrectly. */
class LapsTest {
  private static final int MAX_REQUESTS = 50_000;

  /** Number of wrong numbers that are tried for each program: examining its laps takes seconds. */
  private static final int NUMBERS = Integer.getInteger("bluebell.laps.numbers", 1);

  private static final int OPERANDS = ControlSegment.BYTES + RemoteAddressSegment.BYTES;
  private static final MaskedFetchAdd LAYOUT = MaskedFetchAdd.ofOperands(8);

  private static ProgramImage program(Target target, Model model) {
    ProgramBuilder builder = new ProgramBuilder("echo");
    Input<Kind.Number> input = builder.number("input", 8);
    var cell = builder.cell("cell", 0);
    builder.set(cell, input);
    builder.respond(cell);
    var plan = Compiler.compile(builder.build(), target, model, Calls.MANY);
    return ImageBuilder.build(plan, Placement.example(plan));
  }

  private static boolean isProved(ProgramImage image, Target target, Model model) {
    Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
    return Verifier.verify(image, rules, Set.of(), MAX_REQUESTS).isProved();
  }

  @Test
  void aProgramForManyCallsIsProvedForAllOfThem() {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        assertThat(isProved(program(target, model), target, model))
            .as("%s, %s", target, model)
            .isTrue();
      }
    }
  }

  @Test
  void aNumberThatGoesOnByOtherThanALapIsRefused() {
    refused(false, step -> step + Long.lowestOneBit(step));
    refused(false, step -> step - Long.lowestOneBit(step));
  }

  @Test
  void aNumberThatDoesNotGoOnIsRefused() {
    refused(false, step -> 0);
  }

  /** The program is correct until the lowest number wraps. */
  @Test
  @Tag("slow")
  void aNumberThatCarriesIntoTheNextIsRefused() {
    refused(true, boundary -> boundary & boundary - 1);
  }

  /** The program is correct until the number has used up its lower bits. */
  @Test
  @Tag("slow")
  void aNumberWhoseCarryIsLostIsRefused() {
    refused(true, boundary -> boundary | Long.lowestOneBit(boundary) >>> 8);
  }

  private static void refused(boolean isBoundary, LongUnaryOperator change) {
    for (Target target : Target.values()) {
      ProgramImage image = program(target, Model.ASSUMED);
      List<ProgramImage> changed = changed(image, isBoundary, change);
      assertThat(changed).isNotEmpty();
      for (ProgramImage each : changed.subList(0, Math.min(NUMBERS, changed.size()))) {
        assertThat(isProved(each, target, Model.ASSUMED)).as("%s", target).isFalse();
      }
    }
  }

  /** The program with another operand in one fetch-and-add. */
  private static List<ProgramImage> changed(
      ProgramImage image, boolean isBoundary, LongUnaryOperator change) {
    List<ProgramImage> changed = new ArrayList<>();
    for (Queue queue : image.queues()) {
      Ring ring = queue.send();
      for (int index : Request.starts(ring)) {
        byte[] slot = ring.slot(index);
        if (ControlSegment.OPCODE.get(slot, 0) == WqeOpcode.ATOMIC_MASKED_FA) {
          var field = isBoundary ? LAYOUT.fieldBoundary() : LAYOUT.add();
          field.set(slot, OPERANDS, change.applyAsLong(field.get(slot, OPERANDS)));
          changed.add(Mutations.with(image, ring, index, slot));
        }
      }
    }
    return changed;
  }
}
