package dev.bluebell.verbs;

/**
 * Describes the receive queue of a queue pair.
 *
 * @param <B> the builder itself
 */
public interface ReceivingQueuePairBuilder<B extends ReceivingQueuePairBuilder<B>>
    extends QueuePairBuilder<B> {
  /**
   * Sets the size of the receive queue, which is rounded up to a power of two. Default 64. With 0,
   * the queue pair has none.
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
   * its own. Their completions come to this queue pair's completion queue for receives.
   */
  B receiveFrom(SharedReceiveQueue receives);

  /** Sets where receive requests complete. Default: where all others do. */
  B receiveCompletions(CompletionQueue completions);

  /**
   * Lets the device put messages of so few bytes into their completions: one write less for it. The
   * poll copies them to the scatter entries, so that a program sees no difference. Default 0.
   *
   * @param bytes 0, 32, or 64, which needs a completion queue with entries of 128 bytes. Messages
   *     to a {@link TagMatchingReceiveQueue} arrive so with 64 alone, in that queue's completion
   *     queue.
   */
  B inlineReceive(int bytes);

  /**
   * Says whether each request carries a signature, by which the device finds requests whose bytes
   * changed since: it fails them. Send requests are signed when the doorbell rings, receive
   * requests of a queue of the queue pair's own when they end. The device sees such a receive
   * request at the latest when the next one starts, because the signature is that of a call of
   * libmlx5 with a single request. Default off.
   *
   * @throws IllegalStateException on a device that checks no signatures
   */
  B signatures(boolean on);
}
