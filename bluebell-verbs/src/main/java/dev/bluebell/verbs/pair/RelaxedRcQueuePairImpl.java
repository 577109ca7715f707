package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.ring.RelaxedRequest;

/** Implements {@link RelaxedRcQueuePair}. */
public final class RelaxedRcQueuePairImpl extends OperatingQueuePairImpl<RelaxedRequest>
    implements RelaxedRcQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT. */
  public RelaxedRcQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    start();
  }

  @Override
  public RequestModifiers nop() {
    return super.nop().fence();
  }

  @Override
  RelaxedRequest request() {
    return send.relaxed();
  }
}
