package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verifier.Mutations.Mutation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Programs that their client rearms for each call, correctly and incorrectly. */
class RearmamentTest {
  private static final int MAX_REQUESTS = 50_000;

  private final Plan plan = plan(Target.CHECKED, Model.CONSERVATIVE);
  private final ProgramImage image = image(plan);
  private final Rearm rearm = Rearms.of(plan, image);

  private static Plan plan(Target target, Model model) {
    ProgramBuilder builder = new ProgramBuilder("program");
    Input<Kind.Number> input = builder.number("input", 7);
    var cell = builder.cell("cell", 5);
    builder.respond(cell);
    builder.when(Condition.equal(cell.first(7), input), () -> builder.add(cell, cell));
    return Compiler.compile(builder.build(), target, model, Calls.REARMED);
  }

  private static ProgramImage image(Plan plan) {
    return ImageBuilder.build(plan, Placement.example(plan));
  }

  private static List<String> refusals(
      ProgramImage image, Rearm rearm, Target target, Model model) {
    Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
    return Verifier.verify(image, rules, Set.of("data cell"), MAX_REQUESTS, rearm).refusals();
  }

  private void refused(Rearm changed, String why) {
    assertThat(refusals(image, changed, Target.CHECKED, Model.CONSERVATIVE))
        .anySatisfy(each -> assertThat(each).contains(why));
  }

  private static IntFunction<Map<String, byte[]>> without(
      IntFunction<Map<String, byte[]>> writes, String region) {
    return call -> {
      Map<String, byte[]> rest = new HashMap<>(writes.apply(call));
      assertThat(rest.remove(region)).isNotNull();
      return rest;
    };
  }

  @Test
  void aRearmedProgramIsProvedForAllCalls() {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan each = plan(target, model);
        assertThat(refusals(image(each), Rearms.of(each, image(each)), target, model))
            .as("%s, %s", target, model)
            .isEmpty();
      }
    }
  }

  @Test
  void aRingThatIsNotWrittenAgainIsRefused() {
    Rearm changed =
        new Rearm(
            without(rearm.writes(), image.queues().get(1).send().region().name()),
            rearm.launcher(),
            rearm.launches());
    refused(changed, "index");
  }

  @Test
  void aReceiveEntryThatIsNotPostedAgainIsRefused() {
    Rearm changed =
        new Rearm(without(rearm.writes(), "receive record"), rearm.launcher(), rearm.launches());
    refused(changed, "has no receive entry for the next message");
  }

  @Test
  void aReceiveRecordThatIsWrittenInPartIsRefused() {
    IntFunction<Map<String, byte[]>> writes =
        call -> {
          Map<String, byte[]> changed = new HashMap<>(rearm.writes().apply(call));
          changed.computeIfPresent("receive record", (name, bytes) -> Arrays.copyOf(bytes, 3));
          return changed;
        };
    refused(
        new Rearm(writes, rearm.launcher(), rearm.launches()),
        "the client takes its doorbell record from data that may be anything");
  }

  @Test
  void aNumberThatDoesNotGoOnFromCallToCallIsRefused() {
    refused(
        new Rearm(_ -> rearm.writes().apply(1), rearm.launcher(), rearm.launches()), "advances by");
    refused(
        new Rearm(rearm.writes(), rearm.launcher(), _ -> rearm.launches().apply(1)), "advances by");
  }

  @Test
  void aTooEarlyNotificationOfTheClientIsRefused() {
    for (Model model : Model.values()) {
      Plan each = plan(Target.CHECKED, model);
      ProgramImage image = image(each);
      List<Mutation> mutations = Mutations.of(image);
      int worker = image.queues().get(1).qpn();
      // The barrier of the last SEND_EN, which enables the notice to the client.
      Mutation last =
          mutations.stream()
              .filter(mutation -> mutation.qpn() == worker)
              .filter(
                  mutation -> mutation.what().startsWith(model == Model.ASSUMED ? "fence" : "WAIT"))
              .reduce((_, next) -> next)
              .orElseThrow();
      ProgramImage mutant = last.of(image);
      assertThat(refusals(mutant, Rearms.of(each, mutant), Target.CHECKED, model))
          .as("%s, without %s", model, last.what())
          .isNotEmpty();
    }
  }

  /**
   * Messages of two connections arrive in any order, so the last one proves nothing about the
   * others.
   */
  @Test
  void twoQueuesThatSendToTheClientAreRefused() {
    Queue launcher = image.queue(rearm.launcher()).orElseThrow();
    int slots = launcher.send().posted() + 1;
    IntFunction<byte[]> launches = call -> launchAndTell(rearm.launches().apply(call), call);
    Region ring = launcher.send().region();
    Region region =
        new Region(
            ring.name(),
            ring.owner(),
            ring.address(),
            Arrays.copyOf(launches.apply(0), 4 * 64),
            ring.lkey(),
            ring.rkey(),
            ring.rights());
    Queue telling =
        new Queue(
            launcher.name(),
            launcher.qpn(),
            Queue.CLIENT,
            false,
            true,
            new Ring(region, 0, 6, 2, slots),
            null,
            0,
            launcher.sendCq(),
            launcher.receiveCq());
    ProgramImage both =
        new ProgramImage(
            image.queues().stream().map(each -> each.equals(launcher) ? telling : each).toList(),
            image.completionQueues(),
            image.regions().stream()
                .map(each -> each.name().equals(region.name()) ? region : each)
                .toList(),
            image.entryPoints());
    assertThat(
            refusals(
                both,
                new Rearm(rearm.writes(), rearm.launcher(), launches),
                Target.CHECKED,
                Model.CONSERVATIVE))
        .singleElement()
        .asString()
        .contains("both send to the client");
  }

  /** The launcher's entries for a call, followed by an empty message to its own peer. */
  private static byte[] launchAndTell(byte[] launch, int call) {
    byte[] all = Arrays.copyOf(launch, launch.length + 64);
    ByteBuffer entries = ByteBuffer.wrap(all);
    int qpn = ControlSegment.qpn(entries.getLong(0));
    entries.putLong(launch.length, ControlSegment.first(0, 0, WqeOpcode.SEND, qpn, 1));
    for (int at = 0; at < all.length; at += 64) {
      ControlSegment.INDEX.set(all, at, call * all.length / 64 + at / 64 & 0xffff);
    }
    return all;
  }

  @Test
  void theBytesWrittenForACallRepeatWhenTheIndicesWrap() {
    for (int call : new int[] {1, 2, 3, 2046, 65534, 70000}) {
      Map<String, byte[]> one = rearm.writes().apply(call);
      rearm
          .writes()
          .apply(call + 65536 * 256)
          .forEach((region, bytes) -> assertThat(bytes).as(region).isEqualTo(one.get(region)));
    }
  }
}
