package dev.bluebell.connect.shared;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Offer;
import java.net.InetSocketAddress;

/** Base class of connection requests over TCP and by RDMA CM, each of which is answered once. */
public abstract class PendingRequest implements ConnectionRequest {
  private final InetSocketAddress from;
  private final Offer offer;
  private final Runnable answered;
  private boolean over;

  /**
   * @param answered called once, when it is accepted or rejected
   */
  protected PendingRequest(InetSocketAddress from, Offer offer, Runnable answered) {
    this.from = from;
    this.offer = offer;
    this.answered = answered;
  }

  @Override
  public final InetSocketAddress from() {
    return from;
  }

  @Override
  public final Offer offer() {
    return offer;
  }

  /** Answers the request, which is possible once. */
  protected final void answer() {
    if (over) {
      throw new IllegalStateException("the request of %s was already answered".formatted(from));
    }
    over = true;
    answered.run();
  }

  /**
   * What {@link #accept} throws when it fails.
   *
   * @throws Error when the cause is one, unless the queue pair needs more memory than there is
   */
  protected final ConnectionException failure(Throwable cause) {
    if (cause instanceof Error defect && !(cause instanceof OutOfMemoryError)) {
      throw defect;
    }
    return new ConnectionException("%s: %s".formatted(from, cause.getMessage()), cause);
  }

  @Override
  public final void reject(byte... privateData) {
    if (privateData.length > MAX_REJECT_BYTES) {
      throw new IllegalArgumentException(
          "a rejection has at most %d private bytes, not %d"
              .formatted(MAX_REJECT_BYTES, privateData.length));
    }
    answer();
    sendRejection(privateData);
  }

  /** Notifies the peer, unless it has given up, and ends the request. */
  protected abstract void sendRejection(byte[] privateData);

  @Override
  public final String toString() {
    return "request of %s".formatted(from);
  }
}
