package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.engine.Ranked;

/**
 * A waiter for a number of completions of a completion queue; it waits at no more than one queue at
 * a time. Owned by the thread that runs the engine.
 */
public abstract class CqWaiter extends Ranked {
  /** Wakes the waiter: the queue has produced enough, or is destroyed. */
  protected abstract void wake();
}
