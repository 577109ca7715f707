package dev.bluebell.hca;

import org.jspecify.annotations.Nullable;

/**
 * Delivers events of the objects that were subscribed. Thread-safe; one event goes to one caller.
 */
public interface HcaEventChannel extends AutoCloseable {

  /**
   * Asks for one type of event of an object.
   *
   * @param object the CQ, QP, RMP or XRC SRQ; null for events of the device itself, such as port
   *     changes
   * @param type see {@link HcaEvent}
   * @param cookie given back with each event
   */
  void subscribe(@Nullable HcaObject object, int type, long cookie) throws HcaException;

  /**
   * Ends a subscription, of which events may still be on their way. Objects end theirs when they
   * are destroyed, and a device in another process keeps them until then.
   *
   * @param object as it was subscribed, whether it still exists or not
   * @param cookie as it was subscribed
   */
  default void unsubscribe(@Nullable HcaObject object, int type, long cookie) {}

  /** The next event, or null when there is none now. */
  @Nullable HcaEvent poll();

  /**
   * Waits for the next event without spinning.
   *
   * @param timeoutNanos nanoseconds to wait at most; negative to wait for ever
   * @return the event; null when the time is over or the channel was closed
   */
  @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException;

  /** Ends all subscriptions and wakes all waiters. Idempotent. */
  @Override
  void close();
}
