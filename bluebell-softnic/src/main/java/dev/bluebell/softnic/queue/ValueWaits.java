package dev.bluebell.softnic.queue;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.engine.Polled;
import java.util.ArrayList;
import java.util.List;

/**
 * The send queues that wait for a value in memory or of the clock. Nothing announces the value, so
 * it is polled: for one queue per step while there is other work. Owned by the thread that runs the
 * engine.
 */
public final class ValueWaits implements Polled {
  private final List<ValueWaiter> waiters = new ArrayList<>();
  private int next;

  public void add(ValueWaiter waiter) {
    waiters.add(waiter);
  }

  public void remove(ValueWaiter waiter) {
    waiters.remove(waiter);
  }

  @Override
  public boolean isEmpty() {
    return waiters.isEmpty();
  }

  @Override
  public int poll() {
    return waiters.isEmpty() ? 0 : look(1);
  }

  @Override
  public int pollThoroughly() {
    return look(waiters.size());
  }

  private int look(int looks) {
    int done = 0;
    for (int i = 0; i < looks && !waiters.isEmpty(); i++) {
      next = next + 1 >= waiters.size() ? 0 : next + 1;
      ValueWaiter waiter = waiters.get(next);
      // Waiters may be added and removed while isOver waits for a slow page.
      if (!waiter.isHeldUp() && isOver(waiter) && waiters.remove(waiter)) {
        waiter.wake();
        done++;
      }
    }
    return done;
  }

  // A client can truncate its memory. The turn of the waiter then meets the memory, too, and ends
  // the waiter alone.
  private static boolean isOver(ValueWaiter waiter) {
    try {
      boolean over = waiter.isOver();
      Memory.raiseFault();
      return over;
    } catch (InternalError gone) {
      return true;
    }
  }
}
