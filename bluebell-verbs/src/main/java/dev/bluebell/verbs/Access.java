package dev.bluebell.verbs;

import dev.bluebell.hca.HcaAccess;
import java.util.Arrays;

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
  RELAXED_ORDERING(HcaAccess.RELAXED_ORDERING),
  /**
   * The device need not pin the memory: it asks the kernel for pages when it accesses them
   * (on-demand paging). So the memory does not count towards the limit of locked memory, and may be
   * larger than physical memory; the first access to a page takes longer. A permission, not a
   * right. The software ConnectX never pins memory. Cards without on-demand paging refuse the
   * region, and all devices refuse it together with {@link #REMOTE_INVALIDATE}. Not for queue
   * pairs. Mirrors {@code verbs.h: IBV_ACCESS_ON_DEMAND}.
   */
  ON_DEMAND(HcaAccess.ON_DEMAND),
  /**
   * Together with {@link #ON_DEMAND}: the memory is on huge pages, which the device requests as a
   * whole. Without {@code ON_DEMAND} it has no effect, because the kernel itself determines the
   * page size of pinned memory. Not for queue pairs. Mirrors {@code verbs.h: IBV_ACCESS_HUGETLB}.
   */
  HUGE_PAGES(HcaAccess.HUGE_PAGES);

  private final int bit;

  Access(int bit) {
    this.bit = bit;
  }

  /** All rights, without the permissions for the device. */
  public static Access[] rights() {
    return Arrays.stream(values())
        .filter(access -> (access.bit & HcaAccess.ALL) != 0)
        .toArray(Access[]::new);
  }

  /** The bit in {@link HcaAccess}. */
  public int bit() {
    return bit;
  }
}
