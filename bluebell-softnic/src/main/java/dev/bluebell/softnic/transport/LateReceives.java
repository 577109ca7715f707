package dev.bluebell.softnic.transport;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.engine.Polled;
import java.util.ArrayList;
import java.util.List;

/**
 * The failed queue pairs whose late receive WQEs must still be flushed. No register announces
 * these, so their doorbell records are polled, one queue pair per step while there is other work:
 * many failed queue pairs must not slow down the others. Owned by the thread that runs the engine.
 */
public final class LateReceives implements Polled {
  private final List<QueuePair> failed = new ArrayList<>();
  private int next;

  public void watch(QueuePair queuePair) {
    failed.add(queuePair);
  }

  /** Removes a destroyed queue pair. */
  public void remove(QueuePair queuePair) {
    failed.remove(queuePair);
  }

  // No doorbell rings for them, so none must be seen in time.
  @Override
  public boolean isEmpty() {
    return true;
  }

  @Override
  public int poll() {
    return failed.isEmpty() ? 0 : look(1);
  }

  @Override
  public int pollThoroughly() {
    return look(failed.size());
  }

  private int look(int looks) {
    if (!failed.isEmpty()) {
      // These queue pairs did not cause the fault of another.
      Memory.dropFault();
    }
    int done = 0;
    for (int i = 0; i < looks && !failed.isEmpty(); i++) {
      next = next + 1 >= failed.size() ? 0 : next + 1;
      QueuePair queuePair = failed.get(next);
      if (queuePair.isFlushingReceives()) {
        done += queuePair.flushLateReceives();
      } else {
        failed.remove(next);
      }
    }
    return done;
  }
}
