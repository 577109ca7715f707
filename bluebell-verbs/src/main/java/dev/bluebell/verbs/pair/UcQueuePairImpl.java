package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.command.ConnectionSettings;

/** Implements {@link UcQueuePair}. */
public final class UcQueuePairImpl extends LendingQueuePairImpl implements UcQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT. */
  public UcQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    start();
  }
}
