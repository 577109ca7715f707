package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Ring;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Searches for a proved program with different results in different orders, among compiled programs
 * with some changed bytes in their entries.
 */
class WrongProofsTest {
  private static final int PROGRAMS = Integer.getInteger("bluebell.search", 40);
  private static final long SEED = Long.getLong("bluebell.search.seed", 1);
  private static final int ORDERS = Integer.getInteger("bluebell.search.orders", 12);
  private static final int MAX_CHANGES = 3;
  private static final int MAX_REQUESTS = 5_000;

  @Test
  @Tag("slow")
  void aProvedProgramDoesTheSameInAllOrders() {
    int proved = 0;
    for (long seed = SEED; seed < SEED + PROGRAMS; seed++) {
      proved += isProvedRightly(seed) ? 1 : 0;
    }
    // Otherwise nothing was examined.
    assertThat(proved).isGreaterThan(PROGRAMS / 20);
  }

  private static boolean isProvedRightly(long seed) {
    Random random = new Random(seed);
    Sample sample = one(random, Sample.all());
    Target target = one(random, List.of(Target.values()));
    Model model = one(random, List.of(Model.values()));
    Calls calls = one(random, List.of(Calls.ONE, Calls.MANY));
    Plan plan = Compiler.compile(sample.program(), target, model, calls);
    Placement placement = Placement.example(plan);
    ProgramImage image = ImageBuilder.build(plan, placement);
    List<String> changes = new ArrayList<>();
    for (int i = random.nextInt(MAX_CHANGES); i >= 0; i--) {
      image = changed(image, random, changes);
    }
    Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
    if (!Verifier.verify(image, rules, Set.of(), MAX_REQUESTS).isProved()) {
      return false;
    }
    Map<Data, Long> places =
        Sample.addresses(sample.program(), name -> placement.data(plan.area(name)).address());
    int qpn = image.entryPoints().getFirst().qpn();
    List<Message> messages = new ArrayList<>();
    for (Function<Map<Data, Long>, Map<Input<?>, byte[]>> call : sample.calls()) {
      messages.add(new Message(qpn, plan.encode(call.apply(places))));
    }
    List<Message> sent =
        calls == Calls.ONE ? List.of(one(random, messages)) : List.copyOf(messages);
    Outcome first = AbstractMachine.run(image, rules, sent, 0);
    if (first.error() != null && first.error().contains("which do not lie in")) {
      // A proof assumes that an address of the client is in the named region.
      return true;
    }
    assertThat(first.error()).as("%s", what(seed, sample, plan, changes)).isNull();
    for (int order = 1; order < ORDERS; order++) {
      Outcome next = AbstractMachine.run(image, rules, sent, order);
      assertThat(next.looksLike(first))
          .as("order %d, %s: %s and %s", order, what(seed, sample, plan, changes), first, next)
          .isTrue();
    }
    return true;
  }

  private static String what(long seed, Sample sample, Plan plan, List<String> changes) {
    return "bluebell.search.seed=%d, %s, %s calls, %s"
        .formatted(seed, sample.program().name(), plan.calls(), changes);
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** The image with one change to an initially posted entry. */
  private static ProgramImage changed(ProgramImage image, Random random, List<String> changes) {
    List<Queue> queues = image.queues().stream().filter(each -> each.send().posted() > 0).toList();
    Queue queue = one(random, queues);
    Ring ring = queue.send();
    int index = one(random, Request.starts(ring));
    byte[] slot = ring.slot(index);
    change(slot, random);
    changes.add("%s of %s is %s".formatted(index, queue.name(), HexFormat.of().formatHex(slot)));
    return Mutations.with(image, ring, index, slot);
  }

  private static void change(byte[] slot, Random random) {
    int opcode = (int) ControlSegment.OPCODE.get(slot, 0);
    boolean counts = opcode == WqeOpcode.WAIT || opcode == WqeOpcode.SEND_EN;
    switch (random.nextInt(counts ? 6 : 4)) {
      case 0 -> ControlSegment.FENCE_MODE.set(slot, 0, one(random, List.of(0, 2, 3)));
      case 1 -> ControlSegment.COMPLETION_MODE.set(slot, 0, random.nextBoolean() ? 0 : 2);
      case 2 -> {
        ControlSegment.OPCODE.set(slot, 0, WqeOpcode.NOP);
        ControlSegment.OPMOD.set(slot, 0, 0);
      }
      case 3 -> {
        int bytes = 16 * Math.min(4, Request.ds(slot));
        slot[8 + random.nextInt(bytes - 8)] ^= (byte) (1 << random.nextInt(8));
      }
      default -> {
        int at = ControlSegment.BYTES;
        long number = QueueSegment.MAX_INDEX.get(slot, at) + random.nextInt(5) - 2;
        QueueSegment.MAX_INDEX.set(slot, at, number & 0xffffffffL);
      }
    }
  }
}
