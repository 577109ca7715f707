package dev.bluebell.verbs;

/**
 * Kind of a memory window. Mirrors {@code verbs.h: ibv_mw_type}, which has one type 2 for what the
 * specification calls 2A and 2B: a device has one of both, never both (IBA o10-37.2.31). Those of
 * Linux' mlx5 driver are 2B ({@code main.c: mlx5_ib_query_device}), and so are these; 2A can't be
 * asked for.
 */
public enum WindowType {
  /** All queue pairs of the domain may serve accesses; it may be bound again while it is bound. */
  TYPE_1,
  /**
   * Type 2B: the queue pair that bound it alone serves accesses, and its requests, or a SEND with
   * invalidate that it receives, end the binding. That must be before it is bound again.
   */
  TYPE_2
}
