package dev.bluebell.verbs;

/**
 * Kind of a memory window. Mirrors {@code verbs.h: ibv_mw_type}, which has one type 2 for the
 * specification's 2A and 2B. A device supports only one of them (IBA o10-37.2.31). Linux's mlx5
 * driver supports 2B ({@code main.c: mlx5_ib_query_device}), and so does this driver; 2A is not
 * available.
 */
public enum WindowType {
  /** All queue pairs of the domain serve accesses; a bound window may be bound again. */
  TYPE_1,
  /**
   * Type 2B: only the queue pair that bound it serves accesses. A request of that queue pair, or a
   * SEND with invalidate that it receives, invalidates the window, which must happen before it is
   * bound again.
   */
  TYPE_2
}
