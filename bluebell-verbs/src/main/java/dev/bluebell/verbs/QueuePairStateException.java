package dev.bluebell.verbs;

/**
 * The state of a queue pair does not allow an operation, such as sending before it is connected.
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
