package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.softnic.diagnosis.Repeats;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.TagList;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Executes TAG_MATCHING requests, which change the list of tags of the queue that the queue pair
 * receives from. Owned by the thread that runs the engine.
 */
public final class TagOperations implements LocalOperation {
  private final Chip chip;
  private final Lifecycle life;
  private final int number;
  private final @Nullable TagMatching tags;
  private final Fault fault;
  private final Repeats replaced = new Repeats(1);

  /**
   * @param tags null for a queue pair that receives from another kind of queue
   * @param fault set when a request is refused
   */
  public TagOperations(
      Chip chip, QpIdentity self, Lifecycle life, @Nullable TagMatching tags, Fault fault) {
    this.chip = chip;
    this.life = life;
    number = self.number();
    this.tags = tags;
    this.fault = fault;
  }

  @Override
  public long execute(SendWqe wqe, int entry, long done, long budget) {
    return execute(wqe) ? 0 : Progress.REFUSED;
  }

  private boolean execute(SendWqe wqe) {
    if (tags == null) {
      return refuse(
          "opcode TAG_MATCHING changes a list of tags, but QP 0x%x does not receive from a tag-matching queue"
              .formatted(number));
    }
    long head = Memory.getLong(wqe.change());
    int flags = TagMatchingSegment.FLAGS.getInt(head);
    int index = TagMatchingSegment.INDEX.getInt(head);
    int operation = TagMatchingSegment.OPCODE.getInt(head);
    TagList list = tags.list();
    if (operation > TagMatchingSegment.REMOVE) {
      return refuse(
          "opcode %d of the tag-matching segment is not valid: it must be NOP (0), APPEND (1) or REMOVE (2)"
              .formatted(operation));
    }
    if (operation == TagMatchingSegment.APPEND && !isAppendable(wqe, index, list)) {
      return false;
    }
    if ((flags & TagMatchingSegment.SW_CNT_VALID) != 0) {
      list.synchronize(TagMatchingSegment.SW_CNT.getInt(head));
    }
    int completed = TagMatchingCqe.NOOP;
    boolean done = true;
    if (operation == TagMatchingSegment.APPEND) {
      completed = TagMatchingCqe.APPEND;
      append(wqe, index, list);
    } else if (operation == TagMatchingSegment.REMOVE) {
      completed = TagMatchingCqe.REMOVE;
      done = list.remove(index);
    }
    if ((flags & TagMatchingSegment.CQE_REQ) != 0 && !complete(tags, completed, done, wqe)) {
      life.failUnreported(
          "its tag-matching CQ 0x%x is overrun".formatted(tags.completions().number()));
    }
    return true;
  }

  private boolean isAppendable(SendWqe wqe, int following, TagList list) {
    if (wqe.listEnd() - wqe.list() != DataSegment.BYTES
        || DataSegment.isInline(Memory.getLong(wqe.list()))) {
      return refuse("an APPEND needs exactly one data segment, without inline data (ds 4)");
    }
    if (following >= list.size()) {
      return refuse(
          "index %d of the entry to append next is not one of the %d in the list of tags"
              .formatted(following, list.size()));
    }
    if (list.contains(list.appendIndex())) {
      if (chip.machine().strict()) {
        return refuse(
            "entry %d, which the previous APPEND named as the next, is already in the list of tags"
                .formatted(list.appendIndex()));
      }
      explainReplaced(list.appendIndex());
    }
    return true;
  }

  /** Explains only some replacements, so that frequent ones do not slow down the device. */
  private void explainReplaced(int entry) {
    if (replaced.add()) {
      chip.explainQueuePair(
          number,
          "an APPEND of QP 0x%x replaces entry %d, which is already in the list of tags: no message lands in its former buffer (%d replaced so far). The index of an APPEND names the entry of the next APPEND, not its own; with the option strict, this APPEND fails"
              .formatted(number, entry, replaced.count()));
    }
  }

  private static void append(SendWqe wqe, int following, TagList list) {
    long tag = wqe.change() + TagMatchingSegment.APPEND_TAG.word();
    long mask = wqe.change() + TagMatchingSegment.APPEND_MASK.word();
    list.append(
        Memory.getLong(tag),
        Memory.getLong(mask),
        Memory.getLong(wqe.list()),
        Memory.getLong(wqe.list() + Long.BYTES),
        following);
  }

  private boolean complete(TagMatching of, int operation, boolean done, SendWqe wqe) {
    long result =
        TagMatchingCqe.SUCCESS.place(done ? 1 : 0)
            | TagMatchingCqe.HW_PHASE_CNT.place(of.list().unexpected());
    CompletionQueue completions = of.completions();
    return completions.complete(
        completions
            .next(CqeOpcode.NO_PACKET, number, of.userIndex(), wqe.index())
            .tagged(operation, 0)
            .head(result, 0));
  }

  private boolean refuse(String why) {
    fault.set(Syndrome.LOCAL_QP_OP_ERR, why);
    return false;
  }
}
