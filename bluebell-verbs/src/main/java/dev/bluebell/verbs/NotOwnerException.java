package dev.bluebell.verbs;

/**
 * A thread used a queue that belongs to another thread. A queue belongs to the first thread that
 * uses it, until that thread ends or hands it over: {@link QueuePair#handOver}, {@link
 * CompletionQueue#handOver}. The queue is unchanged.
 */
public final class NotOwnerException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the queue, both threads and the remedy
   */
  public NotOwnerException(String message) {
    super(message);
  }
}
