package dev.bluebell.verbs;

/**
 * An unreliable-connection queue pair. A request completes when it is sent, and its outcome is not
 * reported. A message that lacks a packet, finds no receive request or is not allowed is dropped as
 * a whole, and the peer is not notified; data that a WRITE has already written stays.
 *
 * <p>A request that fails at this end stops only the send queue: all requests after it are flushed
 * until {@link #restartSendQueue}. Receiving continues.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}. The {@link ConnectOptions} for
 * acknowledgements, retries and READs have no effect.
 */
public interface UcQueuePair extends LendingQueuePair, WriteOperations {
  /**
   * Restarts the send queue after a request failed. Poll the completions of all posted requests
   * first: they are flushed.
   *
   * @throws dev.bluebell.hca.HcaException when the send queue did not fail
   */
  void restartSendQueue();
}
