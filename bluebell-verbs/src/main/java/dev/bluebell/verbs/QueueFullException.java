package dev.bluebell.verbs;

/**
 * A queue has no room for a request now. Requests that complete make room: poll, and post again.
 * Nothing was posted. {@link QueuePair#hasRoom} asks before.
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
