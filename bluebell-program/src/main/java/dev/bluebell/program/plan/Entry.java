package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.WqeOpcode;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a queue at its index.
 *
 * @param lane the queue
 * @param index index of its first WQEBB, from 0
 * @param action its action
 * @param fence what it waits for before it is executed
 * @param signalled true when it generates a completion
 */
public record Entry(Lane lane, int index, Action action, Fence fence, boolean signalled) {
  /** The action of an entry. */
  public sealed interface Action {}

  /** Moves or changes bytes. */
  public record Work(Instruction instruction) implements Action {}

  /**
   * Holds the queue until a completion queue has enough completions.
   *
   * @param counter the completion queue
   * @param completion index of the last required completion, from 0
   */
  public record Wait(Counter counter, int completion) implements Action {}

  /**
   * Enables entries of a queue.
   *
   * @param target the queue
   * @param limit index after the last enabled WQEBB
   * @param gate gate that breaks open or close; null when it is always open
   */
  public record Enable(Lane target, int limit, @Nullable Gate gate) implements Action {
    /** An enable that is always open. */
    public Enable(Lane target, int limit) {
      this(target, limit, null);
    }
  }

  /**
   * A NOP that fills the end of a ring.
   *
   * @param slots number of WQEBBs, 1 … 16
   */
  public record Pad(int slots) implements Action {}

  /** The initial opcode in memory. */
  public int opcode() {
    return switch (action) {
      case Work work -> work.instruction().initialOpcode();
      case Wait _ -> WqeOpcode.WAIT;
      case Enable enable when enable.gate() != null -> enable.gate().opcodeAtFirst();
      case Enable _ -> WqeOpcode.SEND_EN;
      case Pad _ -> WqeOpcode.NOP;
    };
  }

  public int wqebbs() {
    return switch (action) {
      case Work work -> work.instruction().wqebbs();
      case Pad pad -> pad.slots();
      case Wait _, Enable _ -> 1;
    };
  }
}
