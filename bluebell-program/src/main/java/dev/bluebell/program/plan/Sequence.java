package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Instructions in the order of the program, in blocks: between two of them another queue works.
 *
 * @param blocks the blocks
 * @param between what is done between them, one less
 * @param callee the subprogram that is called; null when none is
 */
public record Sequence(
    List<List<Instruction>> blocks, List<Boundary> between, @Nullable Callee callee) {
  /** What another queue does between two blocks. */
  public enum Boundary {
    /** The loop goes round until it is left. */
    LOOP,
    /** The subprogram does a lap. */
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
