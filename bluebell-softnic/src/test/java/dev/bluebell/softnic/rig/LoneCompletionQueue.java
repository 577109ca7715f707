package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.queue.CompletionQueue;

/** A completion queue with its ring and doorbell record, and the software that polls it. */
public final class LoneCompletionQueue {
  private final LoneChip chip;
  private final int number;
  private final int logSize;
  private final LoneMemory memory;
  private final CompletionQueue queue;
  private int consumed;

  /**
   * @param logSize log2 of its entries
   */
  public LoneCompletionQueue(LoneChip chip, int number, int logSize) {
    this.chip = chip;
    this.number = number;
    this.logSize = logSize;
    memory = chip.memory((Cqe.BYTES << logSize) + DoorbellRecord.STRIDE);
    for (int i = 0; i < 1 << logSize; i++) {
      Memory.putByte(memory.address((long) i * Cqe.BYTES + 63), (byte) Cqe.OP_OWN_INITIAL);
    }
    byte[] context = View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, logSize).bytes();
    queue =
        new CompletionQueue(
            chip.chip(), number, context, memory.queue(0, (long) Cqe.BYTES << logSize));
  }

  private long record() {
    return memory.address((long) Cqe.BYTES << logSize);
  }

  public CompletionQueue queue() {
    return queue;
  }

  /** Takes the next completion; there must be one. */
  public RawCqe poll() {
    assertThat(isEmpty()).as("the completion queue is empty").isFalse();
    RawCqe cqe = RawCqe.at(entry(), chip.chip().explanations().find(number, consumed).orElse(""));
    consumed++;
    Memory.putInt(record() + DoorbellRecord.CQ_SET_CI, consumed & 0xffffff);
    return cqe;
  }

  /** True when all completions were taken. */
  public boolean isEmpty() {
    long last = Memory.getLong(entry() + Cqe.LAST_WORD);
    return Cqe.opcode(last) == 0xf || Cqe.owner(last) != (consumed >> logSize & 1);
  }

  private long entry() {
    return memory.address((long) (consumed & (1 << logSize) - 1) * Cqe.BYTES);
  }
}
