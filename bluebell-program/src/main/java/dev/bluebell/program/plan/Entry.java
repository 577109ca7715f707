package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.WqeOpcode;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a queue in its place.
 *
 * @param lane the queue
 * @param index of its first WQEBB, from 0
 * @param action what it is
 * @param fence what it waits for before it begins
 * @param signalled true when its completion is counted
 */
public record Entry(Lane lane, int index, Action action, Fence fence, boolean signalled) {
  /** What an entry is. */
  public sealed interface Action {}

  /** Moves or changes bytes. */
  public record Work(Instruction instruction) implements Action {}

  /**
   * Holds the queue until completions are there.
   *
   * @param counter of which queue
   * @param completion index of the last of them, from 0
   */
  public record Wait(Counter counter, int completion) implements Action {}

  /**
   * Lets a queue go on.
   *
   * @param target the queue
   * @param limit index of the WQEBB before which it stops
   * @param gate what opens and closes it; null when it is always open
   */
  public record Enable(Lane target, int limit, @Nullable Gate gate) implements Action {
    /** One that is always open. */
    public Enable(Lane target, int limit) {
      this(target, limit, null);
    }
  }

  /**
   * Nothing, up to the end of a ring.
   *
   * @param slots WQEBBs, 1 … 16
   */
  public record Pad(int slots) implements Action {}

  /** The opcode that is in memory at the start. */
  public int opcode() {
    return switch (action) {
      case Work work -> work.instruction().initialOpcode();
      case Wait _ -> WqeOpcode.WAIT;
      case Enable enable when enable.gate() != null -> enable.gate().opcodeAtFirst();
      case Enable _ -> WqeOpcode.SEND_EN;
      case Pad _ -> WqeOpcode.NOP;
    };
  }

  /** WQEBBs that it takes. */
  public int wqebbs() {
    return switch (action) {
      case Work work -> work.instruction().wqebbs();
      case Pad pad -> pad.slots();
      case Wait _, Enable _ -> 1;
    };
  }
}
