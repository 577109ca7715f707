package dev.bluebell.connect.shared;

import dev.bluebell.connect.Ending;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.RcQueuePair;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The end of a connection, which comes once: its queue pair then moves to the error state.
 * Thread-safe.
 */
public final class QueuePairEnd {
  private final RcQueuePair queuePair;
  private final CompletableFuture<Ending> ended = new CompletableFuture<>();

  // What others may complete or cancel. One copy only: the original keeps each of them until it
  // ends.
  private final CompletableFuture<Ending> endedForOthers = ended.copy();
  private final AtomicBoolean ending = new AtomicBoolean();

  public QueuePairEnd(RcQueuePair queuePair) {
    this.queuePair = queuePair;
  }

  public RcQueuePair queuePair() {
    return queuePair;
  }

  /** Begins the end; true for the first caller, which then calls {@link #finish}. */
  public boolean begin() {
    return ending.compareAndSet(false, true);
  }

  /** Moves the queue pair to the error state, and completes the future. */
  public void finish(Ending how) {
    try {
      queuePair.toError();
    } catch (ClosedException | HcaException e) {
      // It is closed, or its device is gone: its next use throws an exception anyway.
    }
    ended.complete(how);
  }

  /** True until the end has begun. */
  public boolean isOpen() {
    return !ending.get();
  }

  /** Completes at the end. Always the same future, which others may complete or cancel. */
  public CompletableFuture<Ending> future() {
    return endedForOthers;
  }
}
