package dev.bluebell.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue, in which the device reports how requests of queue pairs ended.
 *
 * <p>Polling, arming and waiting belong to one thread at a time; {@link #moderate}, {@link #wakeup}
 * and {@link #close} are thread-safe.
 */
public interface CompletionQueue extends AutoCloseable {
  /**
   * Consumes the available completions, at most as many as the queue has entries.
   *
   * @param handler called for each completion
   * @return number of consumed completions
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when the queue belongs to another thread
   * @throws CompletionQueueFailedException when it has overrun
   * @throws dev.bluebell.hca.DeviceLostException when the device is lost and there is no completion
   * @throws IllegalStateException when an entry of the queue is invalid
   */
  int poll(CompletionHandler handler);

  /**
   * Consumes completions.
   *
   * @param handler called for each completion
   * @param max maximum number of completions; a number below 1 consumes nothing
   * @return number of consumed completions
   * @throws IllegalStateException as {@link #poll(CompletionHandler)}
   */
  int poll(CompletionHandler handler, int max);

  /**
   * Consumes one completion.
   *
   * @return a view that is valid until the queue is polled again; null when there is no completion
   * @throws IllegalStateException as {@link #poll(CompletionHandler)}
   */
  @Nullable Completion poll();

  /**
   * Sets how many completions, or how much time, may pass before an armed queue generates its
   * event, whichever comes first. Completions themselves can be polled at once.
   *
   * @param count 0 … 65535; 0 and 1 for an event at the first completion
   * @param period 0 … 4095 µs, rounded down to whole microseconds; 0 for no limit
   * @throws dev.bluebell.hca.HcaException when the device does not support it
   */
  void moderate(int count, Duration period);

  /**
   * Resizes the queue. Unpolled completions are kept.
   *
   * <p>Call it on the polling thread.
   *
   * @param minEntries as for {@link Device#createCompletionQueue(int)}
   * @throws dev.bluebell.hca.HcaException when the queue holds as many completions as the smaller
   *     of the old and the new size, or more; nothing changed. Poll first.
   */
  void resize(int minEntries);

  /**
   * Arms the queue for one event, see {@link #awaitEvent}. Completions that are already in the
   * queue cause no event, so poll between arming and waiting, or use {@link #awaitCompletions},
   * which does all of this.
   *
   * @param solicitedOnly true if only a solicited or a failed completion causes the event
   */
  void arm(boolean solicitedOnly);

  /**
   * Waits for the event of an armed queue, without spinning.
   *
   * @param timeout maximum time to wait
   * @return false on timeout or after {@link #wakeup}
   * @throws ClosedException when the queue is closed, even while waiting
   * @throws NotOwnerException when the queue belongs to another thread
   * @throws CompletionQueueFailedException when it has overrun
   * @throws dev.bluebell.hca.DeviceLostException when the device is lost and there is no event
   */
  boolean awaitEvent(Duration timeout) throws InterruptedException;

  /**
   * Waits until there are completions to poll, without spinning.
   *
   * @param timeout maximum time to wait
   * @return false on timeout or after {@link #wakeup}
   * @throws ClosedException when the queue is closed, even while waiting
   * @throws NotOwnerException when the queue belongs to another thread
   * @throws CompletionQueueFailedException when it has overrun
   * @throws dev.bluebell.hca.DeviceLostException when the device is lost and there is no completion
   */
  boolean awaitCompletions(Duration timeout) throws InterruptedException;

  /**
   * Wakes the thread that waits for this queue, alone or in its {@link CompletionChannel}: its wait
   * returns as on timeout. If no thread waits, the next wait that finds nothing returns at once;
   * calls before that count as one. So a thread that sleeps can be given other work: add the work
   * to a queue that it reads after each wait, then call this method. It does not affect polling.
   *
   * <p>Thread-safe. Without effect on a closed queue.
   */
  void wakeup();

  /**
   * Lets another thread poll: the next thread that polls, arms or waits owns the queue. It owns the
   * queue until it calls this method or ends; join an ended thread before another one takes over.
   *
   * @throws NotOwnerException when it belongs to a thread other than the caller
   */
  void handOver();

  /**
   * Explains in one paragraph why nothing completes: what {@link QueuePair#diagnose} says about
   * each queue pair that completes here, what the next slot of the ring holds, and how a poll reads
   * it. A completion that was not polled comes first. Call it on the polling thread while no thread
   * posts; it allocates and queries the device.
   */
  String diagnose();

  /** Size of the queue: the requested number, rounded up to a power of two. */
  int entries();

  /** Number of the queue, 24 bits. */
  int number();

  /**
   * Destroys the queue and wakes a thread that waits for it. Idempotent.
   *
   * <p>Requests of shared receive queues whose completions were not polled become free. If another
   * thread owns the queue, they become free when that thread hands it over, or next uses it and
   * gets a {@link ClosedException}, or, after that thread has ended, when queue pairs are created.
   */
  @Override
  void close();
}
