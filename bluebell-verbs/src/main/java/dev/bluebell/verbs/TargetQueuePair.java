package dev.bluebell.verbs;

/**
 * The end of a reliable connection that only receives, into shared queues. It has no queue of its
 * own that an application can use. Thread-safe.
 */
public interface TargetQueuePair extends ConnectedQueuePair, AutoCloseable {
  /**
   * Changes the rights of the peer.
   *
   * @throws IllegalStateException when the target is neither in the INIT nor in the RTS state
   */
  void modifyAccess(Access... rights);

  /**
   * Changes how long the peer waits when the receive queue has no request.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the target is not connected
   */
  void modifyMinRnrTimer(int code);

  /** Number of the target, 24 bits. */
  int number();

  /** Moves the target to the error state: it accepts no more requests. */
  void toError();

  /** Returns the target to the INIT state, from which it can connect again. */
  void reset();

  /** Asks the device for the target's state and attributes. */
  QueuePairAttributes query();

  /** Destroys the target. Idempotent. */
  @Override
  void close();
}
