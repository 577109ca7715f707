package dev.bluebell.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits for many completion queues at once, without spinning, and tells which of them has
 * something. Mirrors {@code verbs.h: ibv_comp_channel}.
 *
 * <p>Waiting and adding belong to one thread at a time, the one that polls the queues; {@link
 * #close} is thread-safe and wakes it. A queue that was added is waited for here and nowhere else.
 */
public interface CompletionChannel extends AutoCloseable {
  /**
   * Adds a queue, for as long as it exists.
   *
   * @throws IllegalStateException when it is waited for otherwise already
   */
  void add(CompletionQueue completions);

  /**
   * Waits until there is something to poll, or a queue has failed, which its poll then says.
   *
   * @param timeout how long at most
   * @return a queue that has something; each gets its turn. Null when the time is over.
   * @throws IllegalStateException when the channel is closed, or has no open queue
   */
  @Nullable CompletionQueue await(Duration timeout) throws InterruptedException;

  /** Ends the channel and wakes the thread that waits; its queues stay. Idempotent. */
  @Override
  void close();
}
