package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;

/**
 * Requests that must be complete before an entry is executed, from the weakest fence to the
 * strongest.
 */
public enum Fence {
  /** No requests. */
  NONE(0),
  /** Earlier READs and atomics in the same queue. */
  ANSWERS(ControlSegment.FENCE),
  /** All earlier requests in the same queue. */
  ALL(ControlSegment.FENCE_STRONG);

  private final int bits;

  Fence(int bits) {
    this.bits = bits;
  }

  /** Its bits of fm_ce_se. */
  public int bits() {
    return bits;
  }

  /** The fence that has the effect of both. */
  public Fence and(Fence other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
