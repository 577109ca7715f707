package dev.bluebell.softnic.queue;

/** Who waits for a value that nobody announces. Owned by the thread that runs the engine. */
public interface ValueWaiter {

  /** True while the memory can't be looked at without waiting for a page of it. */
  boolean isHeldUp();

  /** True when there is nothing to wait for any more. */
  boolean isOver();

  /** There is nothing to wait for any more. */
  void wake();
}
