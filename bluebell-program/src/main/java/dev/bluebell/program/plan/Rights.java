package dev.bluebell.program.plan;

import dev.bluebell.program.image.Right;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The rights to memory that a plan needs; its keys have no others. */
final class Rights {
  private final Predicate<Block> blocks;
  private final Set<Right> rights = EnumSet.noneOf(Right.class);

  private Rights(Predicate<Block> blocks) {
    this.blocks = blocks;
  }

  /** The rights that a plan needs to some blocks. */
  static Set<Right> of(Plan plan, Predicate<Block> blocks) {
    Rights rights = new Rights(blocks);
    for (Lane lane : Lane.values()) {
      for (Entry entry : plan.queue(lane)) {
        if (entry.action() instanceof Entry.Work work) {
          rights.add(work.instruction());
        }
      }
    }
    plan.message().forEach(part -> rights.add(List.of(part.to()), Right.LOCAL_WRITE));
    return rights.rights;
  }

  private void add(Instruction instruction) {
    add(instruction.scatters(), Right.LOCAL_WRITE);
    if (instruction.isAtomic()) {
      add(instruction.remoteWrites(), Right.REMOTE_ATOMIC);
    } else {
      add(instruction.remoteReads(), Right.REMOTE_READ);
      add(instruction.remoteWrites(), Right.REMOTE_WRITE);
    }
  }

  private void add(List<Span> spans, Right right) {
    if (spans.stream().anyMatch(span -> blocks.test(span.block()))) {
      rights.add(right);
      if (right.changes()) {
        rights.add(Right.LOCAL_WRITE);
      }
    }
  }
}
