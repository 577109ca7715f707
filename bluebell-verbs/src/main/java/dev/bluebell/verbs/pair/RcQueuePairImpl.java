package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.ReliableQueuePair;
import dev.bluebell.verbs.command.ConnectionSettings;

/** Implements {@link RcQueuePair}. */
public final class RcQueuePairImpl extends ReliableQueuePairImpl implements RcQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT, as {@link ReliableQueuePair}. */
  public RcQueuePairImpl(QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings, report);
  }
}
