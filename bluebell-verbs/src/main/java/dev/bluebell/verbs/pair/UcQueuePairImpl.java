package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.command.ConnectionSettings;

/** Implements {@link UcQueuePair}. */
public final class UcQueuePairImpl extends LendingQueuePairImpl implements UcQueuePair {
  private final StateMachine states;

  /** Makes the queue pair of its parts and moves it to INIT. */
  public UcQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    states = parts.states();
    start();
  }

  @Override
  public synchronized void restartSendQueue() {
    lifetime.requireOpen();
    states.restartSendQueue();
  }
}
