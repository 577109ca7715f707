package dev.bluebell.program.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The stages that instructions fall into. One goes a stage behind those that write its bytes,
 * because it must be fetched when they are complete, and behind those of another queue that it
 * conflicts with; other conflicts, and messages to the client, keep the order of the program within
 * a stage.
 */
final class Stages {
  private final List<Instruction> instructions;
  private final int[] stages;

  Stages(List<Instruction> instructions) {
    this.instructions = instructions;
    stages = new int[instructions.size()];
    for (int j = 0; j < stages.length; j++) {
      Instruction second = instructions.get(j);
      for (int i = 0; i < j; i++) {
        Instruction first = instructions.get(i);
        boolean behind = Hazards.edits(first, second) || Hazards.crosses(first, second);
        if (behind || first.isSent() && second.isSent() || Hazards.conflict(first, second)) {
          stages[j] = Math.max(stages[j], stages[i] + (behind ? 1 : 0));
        }
      }
    }
  }

  /** How many there are; one if there is nothing to do. */
  int count() {
    return 1 + Arrays.stream(stages).max().orElse(0);
  }

  /** True when there is nothing but messages to the client. */
  boolean areAllSent() {
    return instructions.stream().allMatch(Instruction::isSent);
  }

  /** The instructions of one, in the order of the program. */
  List<Instruction> get(int stage) {
    return IntStream.range(0, stages.length)
        .filter(i -> stages[i] == stage)
        .mapToObj(instructions::get)
        .toList();
  }
}
