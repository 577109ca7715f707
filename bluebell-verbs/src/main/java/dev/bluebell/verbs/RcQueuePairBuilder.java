package dev.bluebell.verbs;

/** Describes a reliable-connection queue pair to be created. Not thread-safe. */
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
   * and their completions come to that queue's completion queue.
   */
  RcQueuePairBuilder receiveFrom(TagMatchingReceiveQueue receives);

  /**
   * Lets the queue pair receive from a queue with strides: each packet of a message has a
   * completion in this queue pair's completion queue for receives, with a {@link
   * Completion#stride()}.
   */
  RcQueuePairBuilder receiveFrom(StridingReceiveQueue receives);

  /**
   * Lets the device put what signalled READs and atomics bring into their completions, when it is
   * so short. The poll copies it to the scatter entries, so that a program sees no difference.
   * Default 0.
   *
   * @param bytes 0, 32, or 64, which needs a completion queue with entries of 128 bytes
   */
  RcQueuePairBuilder scatterToCqe(int bytes);

  /**
   * Turns to a queue pair whose requests report and release only when they are signalled and
   * fenced, for memory with relaxed ordering. Everything else must have been said before.
   */
  RelaxedRcQueuePairBuilder relaxedOrdering();

  /**
   * Turns to a queue pair that takes part in NIC programs: its requests may wait for completions,
   * for memory and for the clock, and let managed queues go on. Everything else must have been said
   * before. Mirrors {@code ib_verbs.h: IB_QP_CREATE_CROSS_CHANNEL} of Linux.
   *
   * @throws IllegalStateException on a device without {@link DeviceAttributes#crossChannel()}, or
   *     with signatures or data in completions, which belong to requests that the driver tells of
   */
  CrossChannelBuilder crossChannel();

  /**
   * Says whether the data that comes to the queue pair may be placed out of order, whatever the
   * keys of the memory: {@link Access#RELAXED_ORDERING} says what that means for a program. Default
   * off. Mirrors {@code mlx5dv.h: MLX5DV_QP_CREATE_OOO_DP}.
   *
   * @throws IllegalStateException on a device without {@link
   *     DeviceAttributes#outOfOrderPlacement()}
   */
  RcQueuePairBuilder outOfOrderPlacement(boolean on);

  /**
   * Says whether the queue pair makes copies from memory to memory of this device, see {@link
   * RcQueuePair#copyMemory(long, int, long, int, int)}. Default off.
   */
  RcQueuePairBuilder memoryCopies(boolean on);

  /**
   * Creates the queue pair and moves it to the INIT state, in which receives can be posted.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  RcQueuePair create();
}
