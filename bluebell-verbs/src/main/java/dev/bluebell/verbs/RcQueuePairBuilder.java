package dev.bluebell.verbs;

/** Builder of a reliable-connection queue pair. Not thread-safe. */
public interface RcQueuePairBuilder extends ReceivingQueuePairBuilder<RcQueuePairBuilder> {
  /**
   * Sets the rights of the peer. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  RcQueuePairBuilder access(Access... rights);

  /**
   * Sets how many READs and atomics of the peer are served at a time. The device may limit it.
   * Default 16.
   *
   * @param count 1 … 128
   */
  RcQueuePairBuilder responderResources(int count);

  /**
   * Sets the sequence number of the first request packet. Default: a random number, and another one
   * after each reset.
   *
   * @param psn 24 bits
   */
  RcQueuePairBuilder initialPsn(int psn);

  /**
   * Lets the queue pair receive from a tag-matching queue: messages begin with a {@link TagHeader},
   * and their completions go to that queue's completion queue.
   */
  RcQueuePairBuilder receiveFrom(TagMatchingReceiveQueue receives);

  /**
   * Lets the queue pair receive from a striding queue: each packet of a message has a completion in
   * this queue pair's completion queue for receives, with a {@link Completion#stride()}.
   */
  RcQueuePairBuilder receiveFrom(StridingReceiveQueue receives);

  /**
   * Lets the device return results of up to this size in the completions of signalled READs and
   * atomics. Polling copies them to the scatter entries, so applications see no difference. Default
   * 0.
   *
   * <p>The driver can't copy to an {@link IndirectRegion} or a DMA-BUF: if a scatter entry names
   * one, the request fails with {@link CompletionStatus#LOCAL_PROTECTION_ERROR}, although the
   * device executed it.
   *
   * @param bytes 0, 32, or 64, which needs a completion queue with entries of 128 bytes
   */
  RcQueuePairBuilder scatterToCqe(int bytes);

  /**
   * Switches to a queue pair for memory with relaxed ordering: its requests report success and free
   * space only when they are signalled and fenced. Set everything else before.
   */
  RelaxedRcQueuePairBuilder relaxedOrdering();

  /**
   * Switches to a queue pair that takes part in NIC programs: its requests may wait for
   * completions, for memory and for the clock, and may enable managed queues. Set everything else
   * before. Mirrors {@code ib_verbs.h: IB_QP_CREATE_CROSS_CHANNEL} of Linux.
   *
   * @throws IllegalStateException on a device without {@link DeviceAttributes#crossChannel()}, or
   *     together with signatures, which rewriting a request would invalidate, or with data in
   *     completions, which other requests would miss
   */
  CrossChannelBuilder crossChannel();

  /**
   * Sets whether the device may place data that the queue pair receives out of order, whatever the
   * memory keys; {@link Access#RELAXED_ORDERING} describes the consequences. Default off. Mirrors
   * {@code mlx5dv.h: MLX5DV_QP_CREATE_OOO_DP}.
   *
   * @throws IllegalStateException on a device without {@link
   *     DeviceAttributes#outOfOrderPlacement()}
   */
  RcQueuePairBuilder outOfOrderPlacement(boolean on);

  /**
   * Sets whether the queue pair may copy within local memory, see {@link
   * RcQueuePair#copyMemory(long, int, long, int, int)}. Default off.
   */
  RcQueuePairBuilder memoryCopies(boolean on);

  /**
   * Creates the queue pair and moves it to the INIT state, in which receives can be posted.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  RcQueuePair create();
}
