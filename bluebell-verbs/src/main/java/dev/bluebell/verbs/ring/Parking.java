package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.Uar;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where the doorbells of closed queues point: memory that nobody reads and that is never freed, so
 * that a queue which is used after its end can't ring for another one.
 */
final class Parking {
  private static final MemorySegment PAGE = Arena.global().allocate(Uar.PAGE_BYTES, Uar.PAGE_BYTES);

  /** Stands in for a doorbell record. */
  static final long RECORD = PAGE.address();

  /** Stands in for a BlueFlame register or a CQ doorbell register. */
  static final long REGISTER = PAGE.address() + Uar.BLUEFLAME;

  private Parking() {}
}
