package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;

/** The doorbell of a send queue. Mirrors {@code qp.c: post_send_db}. */
final class SendDoorbell {
  private final boolean blueFlame;
  private long record;
  private long register;
  private int buffer;

  SendDoorbell(SendRingLayout layout) {
    blueFlame = layout.blueFlame();
    record = layout.doorbellRecord() + DoorbellRecord.SEND;
    register = layout.register();
    buffer = layout.firstBuffer();
  }

  void park() {
    record = Parking.RECORD + DoorbellRecord.SEND;
    register = Parking.REGISTER;
  }

  void reset() {
    Memory.putIntRelease(record, 0);
  }

  /**
   * Rings with 8 bytes.
   *
   * @param producer index behind the last request
   * @param first bytes 0–7 of the last request
   */
  void ring(int producer, long first) {
    publish(producer);
    Memory.putLongRelease(register + buffer, first);
    flip();
  }

  /**
   * Rings with a copy of the only new request.
   *
   * @param at byte offset of the request in the ring
   */
  void blueFlame(int producer, long first, long ring, int byteMask, int at) {
    publish(producer);
    long to = register + buffer;
    int bytes = ControlSegment.wqebbs(ControlSegment.ds(first)) * ControlSegment.WQEBB_BYTES;
    for (int i = 8; i < bytes; i += 8) {
      Memory.putNativeLong(to + i, Memory.getNativeLong(ring + (at + i & byteMask)));
    }
    // The device watches the first word, so it comes last.
    Memory.putLongRelease(to, first);
    flip();
  }

  /** The producer index that the record has, 16 bits. */
  int recorded() {
    return Memory.getInt(record) & 0xffff;
  }

  private void publish(int producer) {
    Memory.putIntRelease(record, producer & 0xffff);
    Memory.fullFence();
  }

  private void flip() {
    if (blueFlame) {
      // A BlueFlame register is write-combining: only a fence makes the write leave the CPU.
      Memory.fullFence();
    }
    buffer ^= Uar.BLUEFLAME_BUFFER_BYTES;
  }
}
