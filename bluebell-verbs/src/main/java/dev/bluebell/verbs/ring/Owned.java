package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.QueuePairStateException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue in memory that belongs to one thread at a time: the first that uses it, until that thread
 * ends or hands it over. Each use costs the owner one comparison; anything that forbids use clears
 * the owner, so that only the slow path has to check for it.
 */
public abstract class Owned {
  private final String objectName;
  private final String queueName;

  /**
   * Null when the next thread may own it. Threads other than the owner may read a stale value, but
   * never themselves.
   */
  private @Nullable Thread owner;

  private boolean ended;

  /** Never read: what must stay reachable. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable Object memory;

  /** Why the queue cannot be used now; null when it can. */
  private @Nullable String reason;

  /**
   * @param objectName name of the object that has the queue, in messages
   * @param queueName as messages name the queue itself
   */
  Owned(String objectName, String queueName) {
    this.objectName = objectName;
    this.queueName = queueName;
  }

  /**
   * Keeps an object reachable as long as the queue is: the memory that the queue has only addresses
   * of. An application can still hold a request when it no longer holds the object of the queue.
   */
  public final void keepReachable(Object what) {
    memory = what;
  }

  /** True when the calling thread owns the queue. */
  @SuppressWarnings("ReferenceEquality")
  final boolean isOwned() {
    return owner == Thread.currentThread();
  }

  /**
   * Makes the calling thread the owner, or throws.
   *
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when it belongs to another thread
   * @throws QueuePairStateException when it can't be used yet
   */
  public final void requireOwner() {
    if (Checks.ENABLED && !isOwned()) {
      own();
    }
  }

  private synchronized void own() {
    if (ended) {
      usedAfterEnd();
      throw new ClosedException(objectName + " is closed");
    }
    requireNoOther();
    if (reason != null) {
      throw new QueuePairStateException(reason);
    }
    owner = Thread.currentThread();
  }

  /**
   * Runs an action while the calling thread owns all of some queues. Hands over afterwards the
   * queues that it did not own before.
   *
   * @throws NotOwnerException when one of them belongs to another thread; the action did not run
   */
  public static <T> T alone(List<? extends Owned> queues, Supplier<T> action) {
    if (!Checks.ENABLED) {
      return action.get();
    }
    List<Owned> borrowed = new ArrayList<>();
    try {
      for (Owned queue : queues) {
        if (queue.borrow()) {
          borrowed.add(queue);
        }
      }
      return action.get();
    } finally {
      borrowed.forEach(Owned::giveBack);
    }
  }

  /** Takes the queue in any state, unless another thread owns it; false if the caller owned it. */
  private synchronized boolean borrow() {
    if (isOwned()) {
      return false;
    }
    requireNoOther();
    owner = Thread.currentThread();
    return true;
  }

  /**
   * Lets the next thread that uses the queue own it, if the caller owns it now.
   *
   * @return whether it did
   */
  public final synchronized boolean giveBack() {
    boolean owned = isOwned();
    if (owned) {
      owner = null;
    }
    return owned;
  }

  /** True when a thread other than the caller owns the queue; false with checks off. */
  final boolean isOthers() {
    return otherOwner() != null;
  }

  /** The thread other than the caller that owns the queue; null without one, or with checks off. */
  final synchronized @Nullable Thread otherOwner() {
    Thread before = owner;
    return before != null && !isOwned() && before.isAlive() ? before : null;
  }

  private void requireNoOther() {
    Thread before = otherOwner();
    if (before != null) {
      throw new NotOwnerException(
          ("%s belongs to %s, and %s uses it: a queue has one owner, which must"
                  + " call handOver() before another thread uses it")
              .formatted(queueName, nameOf(before), nameOf(Thread.currentThread())));
    }
  }

  /**
   * Lets the next thread that uses the queue own it.
   *
   * @throws NotOwnerException when it belongs to another thread
   */
  public final synchronized void handOver() {
    if (Checks.ENABLED) {
      requireNoOther();
    }
    owner = null;
    if (ended) {
      usedAfterEnd();
    }
  }

  /** Forbids use of the queue until {@link #admit}. */
  public final synchronized void hold(String why) {
    reason = why;
    owner = null;
  }

  /** Lets the next thread that uses the queue own it. */
  public final synchronized void admit() {
    reason = null;
    owner = null;
  }

  /** Forbids use of the queue for good. */
  final synchronized void end() {
    ended = true;
    owner = null;
  }

  /** Called when a thread uses the queue, or hands it over, after its end. */
  void usedAfterEnd() {}

  private static String nameOf(Thread thread) {
    String kind = thread.isVirtual() ? "virtual thread" : "thread";
    return thread.getName().isEmpty()
        ? "%s #%d".formatted(kind, thread.threadId())
        : "%s '%s'".formatted(kind, thread.getName());
  }
}
