package dev.bluebell.connect;

import java.io.IOException;

/** A connection could not be established. Its queue pair is closed. */
public class ConnectionException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the peer and what was wrong
   */
  public ConnectionException(String message) {
    super(message);
  }

  /**
   * @param message names the peer and what was wrong
   */
  public ConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
