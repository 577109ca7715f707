package dev.bluebell.verbs;

import java.util.List;

/** A receive queue whose requests say themselves where a message comes to: one request each. */
abstract class ScatteringReceiveQueue extends LinkedReceiveQueue {

  /** Makes a queue, as {@link LinkedReceiveQueue}. */
  ScatteringReceiveQueue(
      Device device, SharedReceiveShape shape, Kind kind, List<Lifetime> used, Teardown teardown) {
    super(device, shape, kind, used, teardown);
  }

  /**
   * Starts a receive request: memory for one message to any of the queue pairs.
   *
   * @throws IllegalStateException when the queue is full, another request is half built, or the
   *     queue is closed
   */
  public ReceiveLanding receive() {
    return ring().receive();
  }

  /**
   * Drops the request that is half built, if there is one: after a failure between two stages.
   *
   * @return whether there was one
   */
  public boolean dropUnfinished() {
    return ring().dropUnfinished();
  }

  /** Most scatter entries of a request. */
  public int maxScatter() {
    return ring().maxScatter();
  }
}
