package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Instructions in the order of the program, in blocks; between two blocks, another queue works.
 *
 * @param blocks the blocks
 * @param between boundaries between them, one fewer
 * @param callee the subprogram; null when the program calls none
 */
public record Sequence(
    List<List<Instruction>> blocks, List<Boundary> between, @Nullable Callee callee) {
  /** The work of another queue between two blocks. */
  public enum Boundary {
    /** A loop runs until it is left. */
    LOOP,
    /** The subprogram executes one lap. */
    CALL
  }

  /** Copies the lists. */
  public Sequence {
    blocks = List.copyOf(blocks);
    between = List.copyOf(between);
  }

  /** The stages of each block. */
  List<Stages> stages() {
    List<Stages> stages = new ArrayList<>();
    blocks.forEach(block -> stages.add(new Stages(block)));
    return stages;
  }
}
