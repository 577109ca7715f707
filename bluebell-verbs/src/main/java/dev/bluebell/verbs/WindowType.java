package dev.bluebell.verbs;

/** Kind of a memory window. Mirrors {@code verbs.h: ibv_mw_type}. */
public enum WindowType {
  /** All queue pairs of the domain may serve accesses; it may be bound again while it is bound. */
  TYPE_1,
  /** The queue pair that bound it alone serves accesses; peers may invalidate it. Type 2B. */
  TYPE_2
}
