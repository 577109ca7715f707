package dev.bluebell.verbs.ring;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Finds the queues of a queue pair by its user index, which completions carry. Changes are
 * thread-safe; pollers look up without a lock.
 *
 * <p>The index of a closed queue pair is reused only when its completions have been polled, so that
 * a late completion is never attributed to another queue pair.
 */
public final class QueueTable {
  private static final int MAX_INDEX = 0xffffff;

  /** Placeholder at an index that no queue pair ever had. */
  static final WorkQueues NEVER_USED = WorkQueues.nobody();

  /** Placeholder for a closed queue pair that did not receive from a shared queue. */
  static final WorkQueues CLOSED = WorkQueues.closed(null);

  private final Queue<Released> released = new ArrayDeque<>();

  /** The queues by the number of their queue pair. */
  private final NumberTable<WorkQueues> byNumber = new NumberTable<>();

  /** The queues by user index; the length is a power of two. */
  private WorkQueues[] entries = {NEVER_USED};

  private int used;

  /** Takes an index for a queue pair that is about to be created. */
  public synchronized int reserve() {
    Released oldest = released.poll();
    if (oldest != null) {
      if (oldest.isDrained()) {
        return oldest.index;
      }
      // So that it does not keep the others waiting.
      released.add(oldest);
    }
    if (used > MAX_INDEX) {
      throw new IllegalStateException(
          "all 2^24 user indices are taken: close queue pairs and poll their completion queues");
    }
    if (used == entries.length) {
      WorkQueues[] larger = Arrays.copyOf(entries, 2 * used);
      Arrays.fill(larger, used, larger.length, NEVER_USED);
      entries = larger;
    }
    return used++;
  }

  /** Sets the queues at a reserved index. */
  public synchronized void set(int index, WorkQueues queues) {
    queues.userIndex = index;
    entries[index] = queues;
    if (queues.qpn >= 0) {
      byNumber.put(queues.qpn, queues);
    }
  }

  /**
   * Gives an index back after its queue pair was destroyed.
   *
   * @param completions the completion queues of the queue pair
   */
  public synchronized void release(int index, CompletionRing... completions) {
    WorkQueues queues = entries[index];
    queues.close();
    byNumber.remove(queues.qpn, queues);
    entries[index] = closed(index, queues);
    released.add(new Released(index, Arrays.stream(completions).map(End::of).toList()));
  }

  private static WorkQueues closed(int index, WorkQueues queues) {
    Receives receive = queues.receive;
    if (receive instanceof SharedReceiveRing || receive instanceof StridingRing) {
      // Late completions still occupy its entries.
      WorkQueues closed = WorkQueues.closed(receive);
      closed.userIndex = index;
      return closed;
    }
    return CLOSED;
  }

  /** Returns the queues at an index, or a placeholder when the index is not in use. */
  WorkQueues find(int index) {
    WorkQueues[] current = entries;
    // The JIT drops the bounds check of exactly this form of index.
    return current[index & current.length - 1];
  }

  /** Returns the queues of the queue pair with a number, or a placeholder when there is none. */
  WorkQueues ofQueuePair(int qpn) {
    WorkQueues queues = byNumber.get(qpn);
    return queues == null ? CLOSED : queues;
  }

  /** True when a queue pair has the index, or had it. */
  boolean isKnown(int index) {
    WorkQueues[] current = entries;
    return index < current.length && current[index] != NEVER_USED;
  }

  /**
   * An index of a closed queue pair.
   *
   * @param ends its completion queues
   */
  private record Released(int index, List<End> ends) {
    boolean isDrained() {
      boolean drained = true;
      for (End end : ends) {
        // All, because a closed queue drops what it still holds.
        drained &= end.isReached();
      }
      return drained;
    }
  }

  /**
   * Where the completions of a closed queue pair end.
   *
   * @param taken as {@link CompletionRing#taken}, when the device had added the last one
   * @param entries that the ring had then
   */
  private record End(CompletionRing ring, int taken, int entries) {
    static End of(CompletionRing ring) {
      // Not while the ring moves.
      synchronized (ring) {
        return new End(ring, ring.taken(), ring.entries());
      }
    }

    boolean isReached() {
      return ring.isPast(taken, entries);
    }
  }
}
