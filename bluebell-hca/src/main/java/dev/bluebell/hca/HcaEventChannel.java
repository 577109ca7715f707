package dev.bluebell.hca;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Delivers events of subscribed objects. Thread-safe; each event goes to one caller. */
public interface HcaEventChannel extends AutoCloseable {

  /**
   * Subscribes to one type of event of an object.
   *
   * @param object the CQ, QP, RMP or XRC SRQ; null for events of the device itself, such as port
   *     changes
   * @param type see {@link HcaEvent}
   * @param cookie returned with each event
   * @throws HcaException when a device in another process is asked for a {@linkplain
   *     HcaEvent#typesOf type} that objects of this kind do not raise, or for too many
   *     subscriptions
   */
  void subscribe(@Nullable HcaObject object, int type, long cookie) throws HcaException;

  /**
   * Ends a subscription; events may still be in flight. Destroying an object ends its
   * subscriptions. A device in another process ignores this call and keeps them until then.
   *
   * @param object object of the subscription, which may have been destroyed
   * @param cookie cookie of the subscription
   */
  default void unsubscribe(@Nullable HcaObject object, int type, long cookie) {}

  /** The next event, or null when there is none. */
  @Nullable HcaEvent poll();

  /**
   * Waits for the next event without spinning.
   *
   * @param timeoutNanos maximum time to wait in nanoseconds; negative to wait indefinitely
   * @return the event; null on timeout, after {@link #wakeup}, or when the channel was closed
   */
  @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException;

  /**
   * Waits for the next event, as {@link #await(long)}.
   *
   * @param timeout maximum time to wait; a negative one counts as 0, and the longest as 146 years
   */
  default @Nullable HcaEvent await(Duration timeout) throws InterruptedException {
    return await(Math.clamp(TimeUnit.NANOSECONDS.convert(timeout), 0, Long.MAX_VALUE / 2));
  }

  /**
   * Makes one call of {@link #await(long)} that finds no event return null at once: one that waits
   * now, or the next one. Calls before that count as one. After {@link #close}, without effect.
   */
  void wakeup();

  /** Ends all subscriptions and wakes all waiters. Idempotent. */
  @Override
  void close();
}
