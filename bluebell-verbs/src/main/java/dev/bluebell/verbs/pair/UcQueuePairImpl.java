package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.RequestData;
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
  public RequestData send() {
    return send.send();
  }

  @Override
  public RequestData sendImmediate(int immediate) {
    return send.sendImmediate(immediate);
  }

  @Override
  public RequestData write(long remoteAddress, int rkey) {
    return send.write(remoteAddress, rkey);
  }

  @Override
  public RequestData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return send.writeImmediate(remoteAddress, rkey, immediate);
  }

  @Override
  public synchronized void restartSendQueue() {
    lifetime.requireOpen();
    states.restartSendQueue();
  }
}
