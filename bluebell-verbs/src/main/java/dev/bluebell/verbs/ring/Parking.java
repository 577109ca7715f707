package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.Uar;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Unused memory for the doorbells of closed queues. It is never read and never freed, so a queue
 * that is used after its end cannot ring for another queue.
 */
final class Parking {
  private static final MemorySegment PAGE = Arena.global().allocate(Uar.PAGE_BYTES, Uar.PAGE_BYTES);

  /** Stands in for a doorbell record. */
  static final long RECORD = PAGE.address();

  /** Stands in for a BlueFlame register or a CQ doorbell register. */
  static final long REGISTER = PAGE.address() + Uar.BLUEFLAME;

  private Parking() {}
}
