package dev.bluebell.verbs;

/**
 * Receives completions from {@link CompletionLane#poll(LaneHandler)}. A completion counts as
 * consumed even if a method throws. The methods may post requests.
 *
 * @param <Q> the kind of queue pair
 */
public interface LaneHandler<Q extends QueuePair> {

  /**
   * A send request succeeded. The results of a READ or an atomic are in memory.
   *
   * @param id id with which the request was posted
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
