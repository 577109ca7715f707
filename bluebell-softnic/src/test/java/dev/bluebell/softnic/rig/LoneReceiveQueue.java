package dev.bluebell.softnic.rig;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.softnic.queue.ReceiveQueue;

/** A receive queue with its ring and doorbell record, whose WQEs have room for four segments. */
public final class LoneReceiveQueue {
  private static final int LOG_STRIDE = 6;

  private final int logSize;
  private final LoneMemory memory;
  private final ReceiveQueue queue;
  private int posted;

  /**
   * @param logSize log2 of its WQEs
   */
  public LoneReceiveQueue(LoneChip chip, int logSize) {
    this.logSize = logSize;
    memory = chip.memory((1 << LOG_STRIDE + logSize) + DoorbellRecord.STRIDE);
    queue =
        ReceiveQueue.own(
            memory.umem(), memory.address(0), LOG_STRIDE, logSize, record(), LoneChip.PD);
  }

  private long record() {
    return memory.address(1L << LOG_STRIDE + logSize);
  }

  public ReceiveQueue queue() {
    return queue;
  }

  /** Posts a WQE with one segment. */
  public LoneReceiveQueue post(LoneMemory to, long offset, int bytes) {
    return post(DataSegment.first(bytes, to.key()), to.address(offset));
  }

  /** Posts a WQE with these words as segments, and a terminator. */
  public LoneReceiveQueue post(long... words) {
    long at = memory.address((long) (posted & (1 << logSize) - 1) << LOG_STRIDE);
    for (int i = 0; i < words.length; i++) {
      Memory.putLong(at + 8L * i, words[i]);
    }
    if (words.length < 8) {
      Memory.putLong(at + 8L * words.length, DataSegment.first(0, DataSegment.INVALID_LKEY));
      Memory.putLong(at + 8L * words.length + 8, 0);
    }
    posted++;
    setRecord(posted);
    return this;
  }

  /** Writes the producer counter. */
  public void setRecord(int producer) {
    Memory.putInt(record() + DoorbellRecord.RECEIVE, producer & 0xffff);
  }
}
