package dev.bluebell.softnic.queue;

import java.util.PriorityQueue;

/**
 * Those who wait for a completion queue, the next to be woken first, so that a completion costs the
 * same however many wait. Owned by the thread that runs the engine.
 */
final class CqWaiters {
  // Counts are at most 2^23 apart, so that their order outlives the wrap of 32 bits.
  private final PriorityQueue<CqWaiter> queue =
      new PriorityQueue<>((one, other) -> Integer.compare(one.until - other.until, 0));

  /**
   * Wakes somebody once the queue has produced so many completions.
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

  /** Wakes those who waited for no more than so many completions. */
  void produced(int count) {
    CqWaiter next = queue.peek();
    while (next != null && count - next.until >= 0) {
      wakeNext();
      next = queue.peek();
    }
  }

  /** Wakes all: the queue is gone. */
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
