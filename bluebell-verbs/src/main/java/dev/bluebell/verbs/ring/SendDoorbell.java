package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;

/**
 * The doorbell of a send queue. Mirrors {@code qp.c: post_send_db}.
 *
 * <p>Nothing but the order of the stores is needed where the register is not cached (or ordinary
 * memory, of a software device): the one that releases the register comes behind those to the ring
 * and the record. Linux relies on this order, too: its {@code writeq} on x86 has no fence. A
 * BlueFlame register is write-combining, and stores to it are ordered by fences only.
 */
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
    drain();
  }

  private void flip() {
    drain();
    buffer ^= Uar.BLUEFLAME_BUFFER_BYTES;
  }

  /** Makes stores to a BlueFlame register leave the CPU, and later ones wait for earlier stores. */
  private void drain() {
    if (blueFlame) {
      Memory.fullFence();
    }
  }
}
