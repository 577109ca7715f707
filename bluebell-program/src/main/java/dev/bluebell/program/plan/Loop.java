package dev.bluebell.program.plan;

import java.util.List;

/**
 * An unbounded loop. Its ring holds two laps, which alternate until a break closes the gate to the
 * next lap and opens the gate out of the loop. While one lap is executed, nothing of the other is
 * enabled, so each lap rearms the other for its next turn.
 *
 * @param lane its queue
 * @param first the laps with even numbers, from 0
 * @param second the laps with odd numbers
 */
public record Loop(Lane lane, Half first, Half second) {
  /**
   * A lap.
   *
   * @param body its instructions, in the order of the program
   * @param restored bytes that it changes
   * @param next gate to the next lap
   * @param exit gate out of the loop
   */
  public record Half(List<Instruction> body, List<Restored> restored, Gate next, Gate exit) {
    /** Copies the lists. */
    public Half {
      body = List.copyOf(body);
      restored = List.copyOf(restored);
    }
  }
}
