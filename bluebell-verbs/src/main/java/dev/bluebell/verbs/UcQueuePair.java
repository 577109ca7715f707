package dev.bluebell.verbs;

/**
 * An unreliable-connection queue pair. A request completes when it is sent: what becomes of it is
 * not told. A message that misses a packet, finds no receive request or is not allowed is dropped
 * whole, and the peer learns nothing of it; what a WRITE wrote before that stays.
 *
 * <p>A request that fails here stops the send queue only: all that follow are flushed until {@link
 * #restartSendQueue}, and receiving goes on.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}. Of {@link ConnectOptions}, those for
 * acknowledgements, retries and READs have no meaning.
 */
public interface UcQueuePair extends LendingQueuePair, WriteOperations {
  /**
   * Lets the send queue work again after a request failed. Poll the completions of all requests
   * that were posted before: they are flushed.
   *
   * @throws dev.bluebell.hca.HcaException when the send queue did not fail
   */
  void restartSendQueue();
}
