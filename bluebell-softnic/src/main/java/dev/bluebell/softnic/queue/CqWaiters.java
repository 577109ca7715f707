package dev.bluebell.softnic.queue;

import java.util.PriorityQueue;

/**
 * The waiters of a completion queue, in the order of their wake-ups, so that a completion costs the
 * same however many wait. Owned by the thread that runs the engine.
 */
final class CqWaiters {
  // Counts are at most 2^23 apart, so their order survives the wrap at 32 bits.
  private final PriorityQueue<CqWaiter> queue =
      new PriorityQueue<>((one, other) -> Integer.compare(one.until - other.until, 0));

  /**
   * Wakes a waiter once the queue has produced {@code until} completions.
   *
   * @param until counted since the queue's creation, 32 bits
   */
  void add(CqWaiter waiter, int until) {
    if (!waiter.waiting) {
      waiter.waiting = true;
      waiter.until = until;
      queue.add(waiter);
    }
  }

  void remove(CqWaiter waiter) {
    if (waiter.waiting) {
      waiter.waiting = false;
      queue.remove(waiter);
    }
  }

  /** Wakes the waiters for up to this many completions. */
  void produced(int count) {
    CqWaiter next = queue.peek();
    while (next != null && count - next.until >= 0) {
      wakeNext();
      next = queue.peek();
    }
  }

  /** Wakes all waiters, because the queue is destroyed. */
  void wakeAll() {
    while (!queue.isEmpty()) {
      wakeNext();
    }
  }

  private void wakeNext() {
    CqWaiter next = queue.remove();
    next.waiting = false;
    next.wake();
  }

  int count() {
    return queue.size();
  }
}
