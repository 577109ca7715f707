package dev.bluebell.program.plan;

import java.util.List;

/**
 * A loop without a bound. Its ring holds two laps, and goes round until a break closes the gate to
 * the next lap and opens the one that leads out. While one lap is under way, nothing of the other
 * one is enabled, so each makes the other ready for its next turn.
 *
 * @param lane its queue
 * @param first the laps with even numbers, from 0
 * @param second the others
 */
public record Loop(Lane lane, Half first, Half second) {
  /**
   * A lap.
   *
   * @param body its instructions, in the order of the program
   * @param restored what it consumes
   * @param next leads to the next lap
   * @param exit leads to what is behind the loop
   */
  public record Half(List<Instruction> body, List<Restored> restored, Gate next, Gate exit) {
    /** Copies the lists. */
    public Half {
      body = List.copyOf(body);
      restored = List.copyOf(restored);
    }
  }

  /** Both laps, in the order of the ring. */
  List<Half> halves() {
    return List.of(first, second);
  }
}
