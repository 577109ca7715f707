package dev.bluebell.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue, in which requests of queue pairs report how they ended.
 *
 * <p>Polling, arming and waiting belong to one thread at a time; {@link #close} is thread-safe.
 */
public interface CompletionQueue extends AutoCloseable {
  /**
   * Consumes the completions that are there, at most as many as the queue has entries.
   *
   * @param handler called for each
   * @return how many it was called for
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when another thread polls
   * @throws CompletionQueueFailedException when it has overrun
   * @throws IllegalStateException when it holds an entry that makes no sense
   */
  int poll(CompletionHandler handler);

  /**
   * Consumes completions.
   *
   * @param handler called for each
   * @param max how many at most
   * @return how many it was called for
   * @throws IllegalStateException as {@link #poll(CompletionHandler)}
   */
  int poll(CompletionHandler handler, int max);

  /**
   * Consumes one completion.
   *
   * @return a view of it that is valid until the queue is polled again; null when there is none
   * @throws IllegalStateException as {@link #poll(CompletionHandler)}
   */
  @Nullable Completion poll();

  /**
   * Opens the fast lane. From now on the queue serves queue pairs of one kind only.
   *
   * @param of the kind
   * @throws IllegalStateException when it serves others already, or has a lane for others
   */
  <Q extends QueuePair> CompletionLane<Q> lane(Class<Q> of);

  /**
   * Sets how many completions, and how much time, may pass before an armed queue makes its event.
   * Whichever comes first counts. Completions themselves are there at once.
   *
   * @param count 0 … 65535; 0 and 1 for an event at the first
   * @param period 0 … 4095 µs, which is counted in whole microseconds; 0 for no limit
   * @throws dev.bluebell.hca.HcaException when the device does not do it
   */
  void moderate(int count, Duration period);

  /**
   * Gives the queue another size. Completions that were not polled yet stay.
   *
   * <p>Belongs to the thread that polls.
   *
   * @param minEntries as for {@link Device#createCompletionQueue(int)}
   * @throws dev.bluebell.hca.HcaException when the queue holds more completions than the new size
   *     and the old one have room for, less one; nothing changed. Poll first.
   */
  void resize(int minEntries);

  /**
   * Asks for one event, for {@link #awaitEvent}. Completions that were there before cause none, so
   * poll after arming and before waiting, or use {@link #awaitCompletions}, which does all of this.
   *
   * @param solicitedOnly true when only a solicited or a failed completion shall cause the event
   */
  void arm(boolean solicitedOnly);

  /**
   * Waits for the event of an armed queue, without spinning.
   *
   * @param timeout how long at most
   * @return false when the time is over
   * @throws ClosedException when the queue is closed, also meanwhile
   * @throws CompletionQueueFailedException when it has overrun
   */
  boolean awaitEvent(Duration timeout) throws InterruptedException;

  /**
   * Waits until there are completions to poll, without spinning.
   *
   * @param timeout how long at most
   * @return false when the time is over and there are none
   * @throws ClosedException when the queue is closed, also meanwhile
   * @throws NotOwnerException when another thread polls
   * @throws CompletionQueueFailedException when it has overrun
   */
  boolean awaitCompletions(Duration timeout) throws InterruptedException;

  /**
   * Lets another thread poll: the next one that polls, arms or waits has the queue. It belongs to
   * the thread that does so first, until this call or the end of that thread, if it was joined.
   *
   * @throws NotOwnerException when it belongs to another thread than the caller
   */
  void handOver();

  /**
   * Says in one paragraph why nothing completes: what the next slot of the ring holds and how a
   * poll reads it, and for each queue pair that completes here, what {@link QueuePair#diagnose}
   * says. Call it on the thread that polls, while nobody posts; it allocates, and asks the device.
   */
  String diagnose();

  /** Size of the queue: the number asked for, rounded up to a power of two. */
  int entries();

  /** Number of the queue, 24 bits. */
  int number();

  /** Destroys the queue and wakes a thread that waits for it. Idempotent. */
  @Override
  void close();
}
