package dev.bluebell.hca;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;

/**
 * Rights of registered memory, as bits. Mirrors {@code verbs.h: ibv_access_flags} where it has a
 * flag; local reads are always allowed.
 */
public final class HcaAccess {
  public static final int LOCAL_WRITE = 1;
  public static final int REMOTE_WRITE = 2;
  public static final int REMOTE_READ = 4;
  public static final int REMOTE_ATOMIC = 8;

  /**
   * A peer may invalidate the key by a SEND with invalidate: {@code en_rinval} of the mkey context,
   * without a flag in verbs.
   */
  public static final int REMOTE_INVALIDATE = 16;

  /**
   * Not a right, but a permission for the device: its writes may become visible in any order, and
   * are visible when a completion reports them. {@code IBV_ACCESS_RELAXED_ORDERING}.
   */
  public static final int RELAXED_ORDERING = 1 << 20;

  /**
   * Not a right, but a permission for the device: it need not pin the memory, and asks the kernel
   * for pages when it accesses them. {@code IBV_ACCESS_ON_DEMAND}.
   */
  public static final int ON_DEMAND = 1 << 6;

  /**
   * Not a right, but a promise about memory with {@link #ON_DEMAND}: it lies on huge pages. {@code
   * IBV_ACCESS_HUGETLB}.
   */
  public static final int HUGE_PAGES = 1 << 7;

  /** All rights that a registration may grant. */
  public static final int ALL =
      LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | REMOTE_INVALIDATE;

  private HcaAccess() {}

  /**
   * Writes rights, and {@link #RELAXED_ORDERING}, into the context of a memory key.
   *
   * @param mkc in the layout {@link Mkc}
   * @param access bits of this class
   * @return {@code mkc}
   */
  public static View writeTo(View mkc, int access) {
    boolean relaxed = (access & RELAXED_ORDERING) != 0;
    return mkc.set(Mkc.LR, true)
        .set(Mkc.LW, (access & LOCAL_WRITE) != 0)
        .set(Mkc.RR, (access & REMOTE_READ) != 0)
        .set(Mkc.RW, (access & REMOTE_WRITE) != 0)
        .set(Mkc.A, (access & REMOTE_ATOMIC) != 0)
        .set(Mkc.EN_RINVAL, (access & REMOTE_INVALIDATE) != 0)
        .set(Mkc.RELAXED_ORDERING_WRITE, relaxed)
        .set(Mkc.RELAXED_ORDERING_READ, relaxed);
  }
}
