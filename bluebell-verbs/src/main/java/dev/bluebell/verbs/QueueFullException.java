package dev.bluebell.verbs;

/**
 * A queue has no room for a request, and nothing was posted. Completions make room: ring the
 * doorbell for the requests that were posted before, poll, then post again. {@link
 * QueuePair#hasRoom} checks beforehand.
 */
public final class QueueFullException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the queue and the remedy
   */
  public QueueFullException(String message) {
    super(message);
  }
}
