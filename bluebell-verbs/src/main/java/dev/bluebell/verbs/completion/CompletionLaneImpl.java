package dev.bluebell.verbs.completion;

import dev.bluebell.verbs.CompletionLane;
import dev.bluebell.verbs.LaneHandler;
import dev.bluebell.verbs.QueuePair;

/** Implements {@link CompletionLane}. */
public final class CompletionLaneImpl<Q extends QueuePair> implements CompletionLane<Q> {
  private final CompletionQueueImpl completions;

  public CompletionLaneImpl(CompletionQueueImpl completions) {
    this.completions = completions;
  }

  @Override
  public int poll(LaneHandler<Q> handler) {
    return poll(handler, completions.entries());
  }

  @Override
  public int poll(LaneHandler<Q> handler, int max) {
    return completions.pollLane(handler, max);
  }
}
