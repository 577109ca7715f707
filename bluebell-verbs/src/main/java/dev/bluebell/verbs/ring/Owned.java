package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.QueuePairStateException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue in memory that belongs to one thread at a time: to the first that uses it, until that one
 * ends or hands it over. A use costs its owner one comparison; everything that forbids one takes
 * the owner away, so that it is looked at in the long way alone.
 */
public abstract class Owned {
  private final String objectName;
  private final String queueName;

  /**
   * Null when the next thread may have it. Others than the owner may read an old value, which never
   * is themselves.
   */
  private @Nullable Thread owner;

  private boolean ended;

  /** Why nobody may use it now; null when nothing speaks against it. */
  private @Nullable String reason;

  /**
   * @param objectName of the object that the queue is of, as messages name it
   * @param queueName as messages name the queue itself
   */
  Owned(String objectName, String queueName) {
    this.objectName = objectName;
    this.queueName = queueName;
  }

  /** True when the calling thread may use the queue without asking further. */
  @SuppressWarnings("ReferenceEquality")
  final boolean isOwned() {
    return owner == Thread.currentThread();
  }

  /**
   * Lets the calling thread have the queue, or says why it can't.
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
      throw new ClosedException(objectName + " is closed");
    }
    requireNoOther();
    if (reason != null) {
      throw new QueuePairStateException(reason);
    }
    owner = Thread.currentThread();
  }

  /**
   * Does something on a thread that has all of some queues for as long. Those that nobody had, it
   * hands over afterwards.
   *
   * @throws NotOwnerException when one of them belongs to another thread; nothing was done
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

  /** Takes the queue whatever its state is, unless another thread has it; false if it was ours. */
  private synchronized boolean borrow() {
    if (isOwned()) {
      return false;
    }
    requireNoOther();
    owner = Thread.currentThread();
    return true;
  }

  /** Lets the next thread that uses the queue have it, if the caller has it now. */
  public final synchronized void giveBack() {
    if (isOwned()) {
      owner = null;
    }
  }

  private void requireNoOther() {
    Thread before = owner;
    if (before != null && !isOwned() && before.isAlive()) {
      throw new NotOwnerException(
          ("%s belongs to thread '%s', and thread '%s' uses it: a queue has one owner, which must"
                  + " call handOver() before another thread uses it")
              .formatted(queueName, nameOf(before), nameOf(Thread.currentThread())));
    }
  }

  /**
   * Lets the next thread that uses the queue have it.
   *
   * @throws NotOwnerException when it belongs to another thread
   */
  public final synchronized void handOver() {
    if (Checks.ENABLED) {
      requireNoOther();
    }
    owner = null;
  }

  /** Lets nobody use the queue until {@link #admit}. */
  public final synchronized void hold(String why) {
    reason = why;
    owner = null;
  }

  /** Lets a thread use the queue. */
  public final synchronized void admit() {
    reason = null;
  }

  /** Lets nobody use the queue any more. */
  final synchronized void end() {
    ended = true;
    owner = null;
  }

  private static String nameOf(Thread thread) {
    return thread.getName().isEmpty() ? "#" + thread.threadId() : thread.getName();
  }
}
