package dev.bluebell.softnic.queue;

/**
 * Waits for a value in memory, which no doorbell announces. Owned by the thread that runs the
 * engine.
 */
public interface ValueWaiter {

  /** True while the memory can't be looked at without waiting for a page of it. */
  boolean isHeldUp();

  /** True when there is nothing to wait for any more. */
  boolean isOver();

  /** There is nothing to wait for any more. */
  void wake();
}
