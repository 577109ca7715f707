package dev.bluebell.verbs;

import dev.bluebell.hca.HcaAccess;
import java.util.EnumSet;

/**
 * An access right of a memory region or a queue pair, or a permission for the device. Mirrors
 * {@code verbs.h: ibv_access_flags}. Local reads are always allowed.
 */
public enum Access {
  /** The local device may write: receives, results of READs and atomics. */
  LOCAL_WRITE(HcaAccess.LOCAL_WRITE),
  /** Peers may write. */
  REMOTE_WRITE(HcaAccess.REMOTE_WRITE),
  /** Peers may read. */
  REMOTE_READ(HcaAccess.REMOTE_READ),
  /** Peers may perform atomic operations. */
  REMOTE_ATOMIC(HcaAccess.REMOTE_ATOMIC),
  /** A peer may invalidate the key by a SEND with invalidate. Not a right of queue pairs. */
  REMOTE_INVALIDATE(HcaAccess.REMOTE_INVALIDATE),
  /**
   * Data that the device writes may become visible in any order, even within one message. A
   * completion still guarantees that its data and all data before it are visible. So an application
   * must not poll the memory itself, unless a {@linkplain RequestModifiers#fence fence} or an
   * atomic separates data and flag. This is a permission, not a right: devices that only support
   * strict ordering ignore it. Not for queue pairs. Mirrors {@code verbs.h:
   * IBV_ACCESS_RELAXED_ORDERING}; see {@link RelaxedRcQueuePair}.
   */
  RELAXED_ORDERING(HcaAccess.RELAXED_ORDERING);

  private final int bit;

  Access(int bit) {
    this.bit = bit;
  }

  /** All rights; {@link #RELAXED_ORDERING} is not a right. */
  public static Access[] rights() {
    return EnumSet.complementOf(EnumSet.of(RELAXED_ORDERING)).toArray(Access[]::new);
  }

  /** The bit in {@link HcaAccess}. */
  public int bit() {
    return bit;
  }
}
