package dev.bluebell.verbs;

import dev.bluebell.hca.HcaAccess;
import java.util.EnumSet;

/**
 * A right to memory or a permission that goes with it, or to an operation through a queue pair.
 * Mirrors {@code verbs.h: ibv_access_flags}. Reading from the local side is always allowed.
 */
public enum Access {
  /** The local device may write: receives, results of READs and atomics. */
  LOCAL_WRITE(HcaAccess.LOCAL_WRITE),
  /** Peers may write. */
  REMOTE_WRITE(HcaAccess.REMOTE_WRITE),
  /** Peers may read. */
  REMOTE_READ(HcaAccess.REMOTE_READ),
  /** Peers may operate atomically. */
  REMOTE_ATOMIC(HcaAccess.REMOTE_ATOMIC),
  /** A peer may end the key of the memory by SEND with invalidate. No right of a queue pair. */
  REMOTE_INVALIDATE(HcaAccess.REMOTE_INVALIDATE),
  /**
   * What the device writes may become visible in any order, also the parts of one message; a
   * completion still tells that its data and all before it are visible. So a program must not poll
   * the memory itself, unless a {@linkplain RequestModifiers#fence fence} or an atomic stands
   * between data and flag. A permission, and no right, which devices that know no order but one
   * ignore. No right of a queue pair. Mirrors {@code verbs.h: IBV_ACCESS_RELAXED_ORDERING}; see
   * {@link RelaxedRcQueuePair}.
   */
  RELAXED_ORDERING(HcaAccess.RELAXED_ORDERING);

  private final int bit;

  Access(int bit) {
    this.bit = bit;
  }

  /** All rights: everything but {@link #RELAXED_ORDERING}, which is none. */
  public static Access[] rights() {
    return EnumSet.complementOf(EnumSet.of(RELAXED_ORDERING)).toArray(Access[]::new);
  }

  /** Its bit in {@link HcaAccess}. */
  public int bit() {
    return bit;
  }
}
