package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a plan costs when it is executed once.
 *
 * @param copies READs, WRITEs and SENDs, also those that a condition may leave out
 * @param atomics atomics
 * @param waits WAITs
 * @param enables SEND_ENs
 * @param wqebbs slots of the rings that they take
 */
public record Cost(int copies, int atomics, int waits, int enables, int wqebbs) {
  private static final Cost NOTHING = new Cost(0, 0, 0, 0, 0);

  /** Of a whole plan. */
  public static Cost of(Plan plan) {
    return sum(plan.queues().values().stream().flatMap(List::stream).map(Cost::of).toList());
  }

  /** The sum of costs. */
  public static Cost sum(List<Cost> costs) {
    return costs.stream().reduce(NOTHING, Cost::plus);
  }

  /** Of each statement of a plan; what holds instructions back belongs to none and has no name. */
  public static Map<String, Cost> byConstruct(Plan plan) {
    Map<String, Cost> costs = new LinkedHashMap<>();
    for (Lane lane : Lane.values()) {
      for (Entry entry : plan.queue(lane)) {
        String construct =
            entry.action() instanceof Entry.Work work ? work.instruction().construct() : "";
        costs.merge(construct, of(entry), Cost::plus);
      }
    }
    return costs;
  }

  /** Queues that a plan has entries in. */
  public static int queues(Plan plan) {
    return (int) Arrays.stream(Lane.values()).filter(lane -> plan.wqebbs(lane) > 0).count();
  }

  /** Of an entry. */
  public static Cost of(Entry entry) {
    return switch (entry.action()) {
      case Entry.Wait _ -> new Cost(0, 0, 1, 0, 1);
      case Entry.Enable _ -> new Cost(0, 0, 0, 1, 1);
      case Entry.Pad pad -> new Cost(0, 0, 0, 0, pad.slots());
      case Entry.Work work -> of(work.instruction());
    };
  }

  private static Cost of(Instruction instruction) {
    return switch (instruction.opcode()) {
      case WqeOpcode.RDMA_READ, WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM, WqeOpcode.SEND ->
          new Cost(1, 0, 0, 0, instruction.wqebbs());
      default -> new Cost(0, 1, 0, 0, instruction.wqebbs());
    };
  }

  private Cost plus(Cost other) {
    return new Cost(
        copies + other.copies,
        atomics + other.atomics,
        waits + other.waits,
        enables + other.enables,
        wqebbs + other.wqebbs);
  }

  /** What this costs beyond another. */
  public Cost minus(Cost other) {
    return new Cost(
        copies - other.copies,
        atomics - other.atomics,
        waits - other.waits,
        enables - other.enables,
        wqebbs - other.wqebbs);
  }

  @Override
  public String toString() {
    return "%dC %dA %dW %dE, %d WQEBBs".formatted(copies, atomics, waits, enables, wqebbs);
  }
}
