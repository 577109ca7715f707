package dev.bluebell.softnic.queue;

/**
 * A waiter for a value in memory, which no doorbell announces. Owned by the thread that runs the
 * engine.
 */
public interface ValueWaiter {

  /** True while the memory can't be read without waiting for a page. */
  boolean isHeldUp();

  /** True when the wait is over. */
  boolean isOver();

  /** Wakes the waiter, because the wait is over. */
  void wake();
}
