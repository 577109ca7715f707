package dev.bluebell.connect;

/** The server rejected the connection. */
public final class RejectedException extends ConnectionException {
  private static final long serialVersionUID = 1;

  private final transient byte[] privateData;

  /**
   * @param message names the peer
   * @param privateData the peer's reason
   */
  public RejectedException(String message, byte[] privateData) {
    super(message);
    this.privateData = privateData.clone();
  }

  /** The reason: private bytes of the peer's application. Do not trust them. */
  public byte[] privateData() {
    return privateData.clone();
  }
}
