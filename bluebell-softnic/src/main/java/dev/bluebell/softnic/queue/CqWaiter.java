package dev.bluebell.softnic.queue;

/**
 * A waiter for a number of completions of a completion queue; it waits at no more than one queue at
 * a time. Owned by the thread that runs the engine.
 */
public abstract class CqWaiter {
  // The queue's own notes, here so that it needs no table.
  boolean waiting;
  int until;

  /** Wakes the waiter: the queue has produced enough, or is destroyed. */
  protected abstract void wake();
}
