package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link ScatteringReceiveQueue}. */
public abstract class ScatteringReceiveQueueImpl extends LinkedReceives
    implements ScatteringReceiveQueue {
  /** Makes a queue, as {@link LinkedReceives}. */
  public ScatteringReceiveQueueImpl(
      Domain domain, SharedReceiveShape shape, Kind kind, List<Lifetime> used, Teardown teardown) {
    super(domain, shape, kind, used, teardown);
  }

  @Override
  public ReceiveLanding receive() {
    return ring().receive();
  }

  @Override
  public void ringDoorbell() {
    ring().ringDoorbell();
  }

  @Override
  public void handOver() {
    ring().handOver();
  }

  @Override
  public boolean dropUnfinished() {
    return ring().dropUnfinished();
  }

  @Override
  public int maxScatter() {
    return ring().maxScatter();
  }
}
