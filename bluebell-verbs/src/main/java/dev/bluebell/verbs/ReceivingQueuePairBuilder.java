package dev.bluebell.verbs;

/**
 * Builder of a queue pair that receives: its receive queue.
 *
 * @param <B> the builder itself
 */
public interface ReceivingQueuePairBuilder<B extends ReceivingQueuePairBuilder<B>>
    extends QueuePairBuilder<B> {
  /**
   * Sets the size of the receive queue, which is rounded up to a power of two. Default 64. With 0,
   * there is no receive queue.
   *
   * @param requests 0 … 32768
   */
  B receiveQueue(int requests);

  /**
   * Sets how many scatter entries a receive request may have, rounded up to a power of two. Default
   * 1.
   *
   * @param entries 1 … 128
   */
  B maxScatter(int entries);

  /**
   * Lets the queue pair receive into the requests of a shared receive queue instead of a queue of
   * its own. Their completions go to this queue pair's completion queue for receives.
   */
  B receiveFrom(SharedReceiveQueue receives);

  /** Sets the completion queue of receive requests. Default: that of the send requests. */
  B receiveCompletions(CompletionQueue completions);

  /**
   * Lets the device return messages of up to this size in their completions, which saves it a
   * write. Polling copies them to the scatter entries, so applications see no difference. Default
   * 0.
   *
   * <p>The driver can't copy to an {@link IndirectRegion} or a DMA-BUF: if a scatter entry names
   * one, the receive request fails with {@link CompletionStatus#LOCAL_PROTECTION_ERROR}, although
   * the sender's request succeeds.
   *
   * @param bytes 0, 32, or 64, which needs a completion queue with entries of 128 bytes. Messages
   *     to a {@link TagMatchingReceiveQueue} need 64, for that queue's completion queue.
   */
  B inlineReceive(int bytes);

  /**
   * Sets whether each request carries a signature. The device fails requests whose bytes changed
   * since they were signed. Send requests are signed when the doorbell rings, requests of the queue
   * pair's own receive queue when they end. Starting such a receive request makes the device see
   * the one before it, because the signature is that of a libmlx5 call with a single request.
   * Default off.
   *
   * @throws IllegalStateException on a device that checks no signatures
   */
  B signatures(boolean on);
}
