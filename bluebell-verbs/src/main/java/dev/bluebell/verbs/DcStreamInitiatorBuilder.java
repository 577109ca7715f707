package dev.bluebell.verbs;

/** Describes an initiator of dynamic connections with streams to be created. Not thread-safe. */
public interface DcStreamInitiatorBuilder extends QueuePairBuilder<DcStreamInitiatorBuilder> {
  /**
   * Sets how many streams must have failed for the whole initiator to fail; rounded up to a power
   * of two. Default: all of them.
   *
   * @param count 1 … the number of streams
   */
  DcStreamInitiatorBuilder failures(int count);

  /** Sets what {@link DcInitiatorBuilder#options} sets. */
  DcStreamInitiatorBuilder options(ConnectOptions values);

  /**
   * Says whether the queue pair makes copies from memory to memory of this device, see {@link
   * DcStream#copyMemory(long, int, long, int, int)}. Default off.
   */
  DcStreamInitiatorBuilder memoryCopies(boolean on);

  /**
   * Creates the queue pair, ready to send.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses: it has no streams, or not so
   *     many
   */
  DcStreamInitiator create();
}
