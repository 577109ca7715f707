package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.engine.RankedQueue;
import dev.bluebell.softnic.engine.Work;
import java.util.Objects;

/**
 * The waiters of a completion queue, in the order of their wake-ups, so that a completion costs the
 * same however many wait. A completion, which another client may have caused, wakes only some of
 * those that are due; the others are woken in turns of the queue's client. Owned by the thread that
 * runs the engine.
 */
final class CqWaiters extends Work {
  /** Waiters that are woken in one go. */
  private static final int WAKES = 16;

  private final Chip chip;
  private final int cqn;
  private final RankedQueue<CqWaiter> queue = new RankedQueue<>();

  // Number of completions: its low 32 bits are those of the ring's index, which wraps.
  private long produced;

  /**
   * @param produced the completions so far, 32 bits
   */
  CqWaiters(Chip chip, CompletionQueue awaited, int produced) {
    belongTo(awaited.client());
    this.chip = chip;
    this.produced = produced;
    cqn = awaited.number();
  }

  /**
   * Wakes a waiter, which waits at no other queue, once the queue has produced {@code until}
   * completions.
   *
   * @param until counted since the queue's creation, 32 bits
   */
  void add(CqWaiter waiter, int until) {
    queue.add(waiter, extended(until));
  }

  void remove(CqWaiter waiter) {
    queue.remove(waiter);
  }

  /** Wakes the waiters for up to this many completions. */
  void produced(int count) {
    wake(extended(count));
  }

  /** Wakes all waiters, because the queue is destroyed. */
  void wakeAll() {
    wake(Long.MAX_VALUE - 1);
  }

  // Counts are at most 2^23 apart.
  private long extended(int count) {
    return produced + (count - (int) produced);
  }

  private void wake(long count) {
    produced = count;
    if (turn() == WAKES) {
      chip.scheduler().activate(this);
    }
  }

  @Override
  protected int turn() {
    int woken = 0;
    while (woken < WAKES && queue.firstRank() <= produced) {
      CqWaiter next = Objects.requireNonNull(queue.first());
      queue.remove(next);
      next.wake();
      woken++;
    }
    return woken;
  }

  @Override
  protected void abandon(String why) {
    chip.explainCompletionQueue(cqn, why);
  }

  int count() {
    return queue.size();
  }

  @Override
  public String toString() {
    return "the waiters of CQ 0x%x".formatted(cqn);
  }
}
