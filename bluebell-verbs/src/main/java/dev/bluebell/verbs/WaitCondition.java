package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.WaitValueSegment;

/**
 * When a WAIT for a value lets its queue go on: what the value of the request must be, compared
 * with what is there, both under the mask and without sign. Mirrors {@code mlx5_prm.h:
 * MLX5_WAIT_COND_*} of DPDK.
 */
public enum WaitCondition {
  /** At once. */
  ALWAYS(WaitValueSegment.ALWAYS),
  EQUAL(WaitValueSegment.EQUAL),
  BIGGER(WaitValueSegment.BIGGER),
  SMALLER(WaitValueSegment.SMALLER),

  /** Ahead by less than half of what the mask counts, as numbers are that wrap. */
  CYCLIC_BIGGER(WaitValueSegment.CYCLIC_BIGGER),

  /**
   * Behind by less than half of what the mask counts: what DPDK asks of a time, which the clock has
   * passed then.
   */
  CYCLIC_SMALLER(WaitValueSegment.CYCLIC_SMALLER),
  NOT_EQUAL(WaitValueSegment.INVERT | WaitValueSegment.EQUAL),
  NOT_BIGGER(WaitValueSegment.INVERT | WaitValueSegment.BIGGER),
  NOT_SMALLER(WaitValueSegment.INVERT | WaitValueSegment.SMALLER),
  NOT_CYCLIC_BIGGER(WaitValueSegment.INVERT | WaitValueSegment.CYCLIC_BIGGER),
  NOT_CYCLIC_SMALLER(WaitValueSegment.INVERT | WaitValueSegment.CYCLIC_SMALLER);

  private final int code;

  WaitCondition(int code) {
    this.code = code;
  }

  /** The operation of the request. */
  public int code() {
    return code;
  }
}
