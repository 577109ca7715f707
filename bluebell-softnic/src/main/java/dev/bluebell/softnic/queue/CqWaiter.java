package dev.bluebell.softnic.queue;

/**
 * Who waits until a completion queue has produced so many completions; at most at one queue at a
 * time. Owned by the thread that runs the engine.
 */
public abstract class CqWaiter {
  // The queue's own notes, here so that it needs no table.
  boolean waiting;
  int until;

  /** The queue has produced enough, or is gone. */
  protected abstract void wake();
}
