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
public final class CompletionLane<Q extends QueuePair> {
  private final CompletionQueue completions;

  CompletionLane(CompletionQueue completions) {
    this.completions = completions;
  }

  /**
   * Consumes the completions that are there, at most as many as the queue has entries.
   *
   * @param handler called for each
   * @return how many it was called for
   * @throws IllegalStateException as {@link CompletionQueue#poll(CompletionHandler)}
   */
  public int poll(LaneHandler<Q> handler) {
    return poll(handler, completions.entries());
  }

  /**
   * Consumes completions.
   *
   * @param handler called for each
   * @param max how many at most
   * @return how many it was called for
   * @throws IllegalStateException as {@link CompletionQueue#poll(CompletionHandler)}
   */
  public int poll(LaneHandler<Q> handler, int max) {
    return completions.pollLane(handler, max);
  }
}
