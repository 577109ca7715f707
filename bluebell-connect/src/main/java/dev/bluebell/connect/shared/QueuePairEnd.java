package dev.bluebell.connect.shared;

import dev.bluebell.connect.Ending;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends a connection, once: moves its queue pair to the error state and completes its future.
 * Thread-safe.
 */
public final class QueuePairEnd {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.connect");

  private final RcQueuePair queuePair;
  private final CompletableFuture<Ending> ended = new CompletableFuture<>();

  // The copy that callers may complete or cancel. Only one: the original references each copy until
  // it completes.
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
    } catch (RuntimeException e) {
      // The queue pair is closed, or its device is lost, was closed or handed over: its next use
      // throws anyway, but threads that wait for the end must not wait forever.
      LOGGER.log(Level.DEBUG, "%s was not moved to the error state".formatted(queuePair), e);
    }
    ended.complete(how);
  }

  /** True until the end has begun. */
  public boolean isOpen() {
    return !ending.get();
  }

  /**
   * Completes when the connection ends. Always the same future, which callers may complete or
   * cancel.
   */
  public CompletableFuture<Ending> future() {
    return endedForOthers;
  }
}
