package dev.bluebell.verbs;

/** The object is closed, or is being closed. */
public final class ClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the object
   */
  public ClosedException(String message) {
    super(message);
  }
}
