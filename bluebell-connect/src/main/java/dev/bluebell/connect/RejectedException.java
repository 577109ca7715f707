package dev.bluebell.connect;

/** The program that listens does not want the connection. */
public final class RejectedException extends ConnectionException {
  private static final long serialVersionUID = 1;

  private final transient byte[] privateData;

  /**
   * @param message names the peer
   * @param privateData why, as the peer says it
   */
  public RejectedException(String message, byte[] privateData) {
    super(message);
    this.privateData = privateData.clone();
  }

  /** Why, in the application's own bytes, which are not to be trusted. */
  public byte[] privateData() {
    return privateData.clone();
  }
}
