package dev.bluebell.verbs;

/**
 * A queue pair is in a state in which it can't do what was asked, such as send before it is
 * connected.
 */
public final class QueuePairStateException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the queue pair, its state and the remedy
   */
  public QueuePairStateException(String message) {
    super(message);
  }
}
