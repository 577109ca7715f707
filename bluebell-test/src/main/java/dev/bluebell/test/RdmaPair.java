package dev.bluebell.test;

/**
 * Two connected ends on one device. Each has room for 64 receives and, at least, 64 send requests.
 *
 * @param left one of them
 * @param right the other
 */
public record RdmaPair(TestDevice device, RdmaEnd left, RdmaEnd right) {

  RdmaPair connect() {
    left.queuePair().connect(right.queuePair().endpoint());
    right.queuePair().connect(left.queuePair().endpoint());
    return this;
  }

  /** Resets both ends and connects them again, with empty queues. */
  public void reconnect() {
    left.queuePair().reset();
    right.queuePair().reset();
    RdmaPair unused = connect();
  }
}
