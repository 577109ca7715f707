package dev.bluebell.connect;

/**
 * The server rejected the connection. By RDMA CM, a request that the server's connection manager
 * drops because its process ends looks the same, as does one that arrives at the moment when the
 * server closes, and one that a server without Bluebell drops; the private data are then empty or
 * zeros.
 */
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
