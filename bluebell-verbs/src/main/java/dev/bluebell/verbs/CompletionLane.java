package dev.bluebell.verbs;

/**
 * The fast lane of a completion queue that serves queue pairs of only one kind. It passes each
 * completion with its queue pair, already of the right type; of a send request that succeeded, it
 * reads and passes only the id. {@link CompletionQueue#poll(CompletionHandler)} serves queue pairs
 * of all kinds together.
 *
 * <p>Belongs to the polling thread. Both ways of polling may be mixed.
 *
 * @param <Q> the kind of queue pair
 */
public interface CompletionLane<Q extends QueuePair> {
  /**
   * Consumes the available completions, at most as many as the queue has entries.
   *
   * @param handler called for each completion
   * @return number of consumed completions
   * @throws IllegalStateException as {@link CompletionQueue#poll(CompletionHandler)}
   */
  int poll(LaneHandler<Q> handler);

  /**
   * Consumes completions.
   *
   * @param handler called for each completion
   * @param max maximum number of completions; a number below 1 consumes nothing
   * @return number of consumed completions
   * @throws IllegalStateException as {@link CompletionQueue#poll(CompletionHandler)}
   */
  int poll(LaneHandler<Q> handler, int max);
}
