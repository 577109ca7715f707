package dev.bluebell.softnic.rig;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.queue.SendQueue;

/** A send queue with its ring and doorbell record, for a unit that fetches from it. */
public final class LoneSendQueue {
  private final int qpn;
  private final int logSize;
  private final LoneMemory memory;
  private final SendQueue queue;
  private int posted;

  /**
   * @param logSize log2 of its WQEBBs
   */
  public LoneSendQueue(LoneChip chip, int qpn, int logSize) {
    this.qpn = qpn;
    this.logSize = logSize;
    memory = chip.memory((ControlSegment.WQEBB_BYTES << logSize) + DoorbellRecord.STRIDE);
    queue = new SendQueue(qpn, memory.umem(), memory.address(0), logSize, record());
  }

  private long record() {
    return memory.address((long) ControlSegment.WQEBB_BYTES << logSize);
  }

  public SendQueue queue() {
    return queue;
  }

  /** Starts at an index other than 0, as after many requests. */
  public LoneSendQueue startAt(int index) {
    posted = index;
    queue.passTo(index & 0xffff);
    setRecord(index);
    queue.look();
    return this;
  }

  /** Posts requests one after the other in the ring, and rings. */
  public LoneSendQueue post(Wqe... wqes) {
    for (Wqe wqe : wqes) {
      write(wqe);
    }
    setRecord(posted);
    queue.look();
    return this;
  }

  private void write(Wqe wqe) {
    byte[] bytes = wqe.bytes(posted & 0xffff, qpn);
    for (int i = 0; i < bytes.length; i++) {
      Memory.putByte(at(posted, i), bytes[i]);
    }
    posted += (bytes.length + ControlSegment.WQEBB_BYTES - 1) / ControlSegment.WQEBB_BYTES;
  }

  /** Address of a byte of the WQE at an index. */
  public long at(int index, int offset) {
    long mask = ((long) ControlSegment.WQEBB_BYTES << logSize) - 1;
    return memory.address(((long) index * ControlSegment.WQEBB_BYTES + offset) & mask);
  }

  /** Writes the producer counter without ringing. */
  public void setRecord(int producer) {
    setWord(producer & 0xffff);
  }

  /** Writes all 32 bits of the send counter. */
  public void setWord(int word) {
    Memory.putInt(record() + DoorbellRecord.SEND, word);
  }
}
