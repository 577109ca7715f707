package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Arrays;
import java.util.List;

/**
 * Cost of one execution of a plan.
 *
 * @param copies READs, WRITEs and SENDs, including those that a condition may skip
 * @param atomics atomics
 * @param waits WAITs
 * @param enables SEND_ENs
 * @param wqebbs WQEBBs of all entries
 */
public record Cost(int copies, int atomics, int waits, int enables, int wqebbs) {
  private static final Cost NOTHING = new Cost(0, 0, 0, 0, 0);

  public static Cost of(Plan plan) {
    return sum(plan.queues().values().stream().flatMap(List::stream).map(Cost::of).toList());
  }

  public static Cost sum(List<Cost> costs) {
    return costs.stream().reduce(NOTHING, Cost::plus);
  }

  /** Number of queues in which a plan has entries. */
  public static int queues(Plan plan) {
    return (int) Arrays.stream(Lane.values()).filter(lane -> plan.wqebbs(lane) > 0).count();
  }

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

  /** The difference to another cost. */
  public Cost minus(Cost other) {
    return new Cost(
        copies - other.copies,
        atomics - other.atomics,
        waits - other.waits,
        enables - other.enables,
        wqebbs - other.wqebbs);
  }

  /** Number of copies, atomics, and entries that order others: WAITs and SEND_ENs. */
  public String constructs() {
    return "%dC + %dA + %dE".formatted(copies, atomics, waits + enables);
  }

  @Override
  public String toString() {
    return "%s, %d WQEBBs".formatted(constructs(), wqebbs);
  }
}
