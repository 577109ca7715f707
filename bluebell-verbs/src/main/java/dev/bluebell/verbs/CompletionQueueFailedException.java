package dev.bluebell.verbs;

/** A completion queue has overrun or failed in another way, and delivers no more completions. */
public final class CompletionQueueFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the queue and the remedy
   */
  public CompletionQueueFailedException(String message) {
    super(message);
  }
}
