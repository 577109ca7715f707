package dev.bluebell.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits for many completion queues at once, without spinning, and returns one that has completions.
 * Mirrors {@code verbs.h: ibv_comp_channel}.
 *
 * <p>Adding and waiting belong to one thread at a time, the thread that polls the queues; {@link
 * #wakeup} and {@link #close} are thread-safe and wake it. A queue that was added can be waited for
 * only here.
 */
public interface CompletionChannel extends AutoCloseable {
  /**
   * Adds a queue until it is closed.
   *
   * @throws IllegalStateException when the queue is already in a channel, or a thread has waited
   *     for this queue alone
   */
  void add(CompletionQueue completions);

  /**
   * Waits until a queue has completions, or has failed, in which case polling it throws.
   *
   * @param timeout maximum time to wait
   * @return a queue to poll, in turn when several have completions; null on timeout, after {@link
   *     #wakeup}, or when a queue was closed and another is open
   * @throws NotOwnerException when one of the queues belongs to another thread
   * @throws IllegalStateException when the channel is closed, or has no open queue
   * @throws dev.bluebell.hca.DeviceLostException when the device is lost and no queue has
   *     completions
   */
  @Nullable CompletionQueue await(Duration timeout) throws InterruptedException;

  /**
   * Wakes the waiting thread: {@link #await} returns null. If no thread waits, the next wait that
   * finds nothing returns at once; calls before that count as one. Thread-safe. Without effect on a
   * closed channel.
   */
  void wakeup();

  /**
   * Closes the channel and wakes the waiting thread. Its queues stay open and can be polled, but no
   * thread can wait for them any more. Idempotent.
   */
  @Override
  void close();
}
