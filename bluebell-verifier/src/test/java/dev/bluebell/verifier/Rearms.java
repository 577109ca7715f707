package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.Rearming;
import java.util.HashMap;
import java.util.Map;

/** The writes of a plan's client, as input of the verifier. */
public final class Rearms {
  private Rearms() {}

  /**
   * The writes for a plan that its client rearms for each call.
   *
   * @param image image of the plan, or a mutant of it
   */
  public static Rearm of(Plan plan, ProgramImage image) {
    Rearming rearming = new Rearming(plan, image);
    int launcher =
        image.queues().stream()
            .filter(queue -> queue.name().equals(Lane.LAUNCHER.text()))
            .mapToInt(Queue::qpn)
            .findFirst()
            .orElseThrow();
    return new Rearm(call -> writes(rearming, call), launcher, rearming::launch);
  }

  private static Map<String, byte[]> writes(Rearming rearming, int call) {
    Map<String, byte[]> writes = new HashMap<>();
    rearming.before(call).forEach(piece -> writes.put(piece.to().name(), piece.bytes()));
    return writes;
  }
}
