package dev.bluebell.verbs;

/**
 * Takes completions from {@link CompletionLane#poll(LaneHandler)}. A completion counts as consumed,
 * also when a method throws. Requests may be posted from here.
 *
 * @param <Q> the kind of queue pair
 */
public interface LaneHandler<Q extends QueuePair> {

  /**
   * A send request succeeded, with all that it asked for: what a READ or an atomic brings is in
   * memory.
   *
   * @param id that the request was posted with
   */
  void sent(Q queuePair, long id);

  /**
   * A receive request was filled, or consumed.
   *
   * @param completion a view that is reused for the next completion
   */
  void received(Q queuePair, Completion completion);

  /**
   * A request failed.
   *
   * @param completion a view that is reused for the next completion
   */
  void failed(Q queuePair, Completion completion);
}
