package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.WaitValueSegment;

/**
 * The condition on which a WAIT for a value lets its queue continue: how the value of the request
 * must compare with the actual value, both masked and unsigned. Mirrors {@code mlx5_prm.h:
 * MLX5_WAIT_COND_*} of DPDK.
 */
public enum WaitCondition {
  /** Always met. */
  ALWAYS(WaitValueSegment.ALWAYS),
  EQUAL(WaitValueSegment.EQUAL),
  BIGGER(WaitValueSegment.BIGGER),
  SMALLER(WaitValueSegment.SMALLER),

  /** Ahead by less than half the range of the mask, for numbers that wrap. */
  CYCLIC_BIGGER(WaitValueSegment.CYCLIC_BIGGER),

  /**
   * Behind by less than half the range of the mask. DPDK uses it to wait until the clock has passed
   * a time.
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

  /** The value for the operation field of the request. */
  public int code() {
    return code;
  }
}
