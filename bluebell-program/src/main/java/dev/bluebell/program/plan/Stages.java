package dev.bluebell.program.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The stages that instructions fall into. An instruction is a stage behind those that write its
 * bytes, because it must be fetched after they complete, and behind those of another queue that it
 * conflicts with. For other conflicts, and for messages to the client, the order of the program
 * within a stage is enough.
 */
final class Stages {
  private final List<Instruction> instructions;
  private final int[] stages;

  Stages(List<Instruction> instructions) {
    this.instructions = instructions;
    stages = new int[instructions.size()];
    for (int j = 0; j < stages.length; j++) {
      Instruction second = instructions.get(j);
      for (int i = j - 1; i >= 0; i--) {
        // An instruction of an earlier stage changes nothing, so most pairs need no comparison.
        if (stages[i] >= stages[j]) {
          stages[j] = Math.max(stages[j], stageBehind(i, second));
        }
      }
    }
  }

  /** Returns the first stage in which an instruction may be behind the one at an index. */
  private int stageBehind(int index, Instruction second) {
    Instruction first = instructions.get(index);
    if (Hazards.edits(first, second)) {
      return stages[index] + 1;
    }
    if (Hazards.conflict(first, second)) {
      return first.lane() == second.lane() ? stages[index] : stages[index] + 1;
    }
    return first.isSent() && second.isSent() ? stages[index] : 0;
  }

  /** Number of stages; 1 if there are no instructions. */
  int count() {
    return 1 + Arrays.stream(stages).max().orElse(0);
  }

  /** True when all instructions are messages to the client. */
  boolean areAllSent() {
    return instructions.stream().allMatch(Instruction::isSent);
  }

  /** The instructions of a stage, in the order of the program. */
  List<Instruction> get(int stage) {
    return IntStream.range(0, stages.length)
        .filter(i -> stages[i] == stage)
        .mapToObj(instructions::get)
        .toList();
  }
}
