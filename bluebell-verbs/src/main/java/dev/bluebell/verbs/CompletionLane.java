package dev.bluebell.verbs;

/**
 * The fast lane of a completion queue that serves queue pairs of one kind: completions come with
 * their queue pair, by its own type, and of a send request that succeeded there is nothing to look
 * at but its id, so that nothing else is read. {@link CompletionQueue#poll(CompletionHandler)}
 * serves queue pairs of all kinds together.
 *
 * <p>Belongs to the thread that polls the queue. Both ways of polling may be mixed.
 *
 * @param <Q> the kind of queue pair
 */
public interface CompletionLane<Q extends QueuePair> {
  /**
   * Consumes the completions that are there, at most as many as the queue has entries.
   *
   * @param handler called for each
   * @return how many it was called for
   * @throws IllegalStateException as {@link CompletionQueue#poll(CompletionHandler)}
   */
  int poll(LaneHandler<Q> handler);

  /**
   * Consumes completions.
   *
   * @param handler called for each
   * @param max how many at most
   * @return how many it was called for
   * @throws IllegalStateException as {@link CompletionQueue#poll(CompletionHandler)}
   */
  int poll(LaneHandler<Q> handler, int max);
}
