package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;

/** What an entry waits for before it begins, the weaker first. */
public enum Fence {
  /** Nothing. */
  NONE(0),
  /** READs and atomics before it in its queue. */
  ANSWERS(ControlSegment.FENCE),
  /** All before it in its queue. */
  ALL(ControlSegment.FENCE_STRONG);

  private final int bits;

  Fence(int bits) {
    this.bits = bits;
  }

  /** Its bits of fm_ce_se. */
  public int bits() {
    return bits;
  }

  /** The fence that does what both do. */
  public Fence and(Fence other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
