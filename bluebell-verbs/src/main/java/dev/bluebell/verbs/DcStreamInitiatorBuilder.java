package dev.bluebell.verbs;

/** Builder of an initiator of dynamic connections with streams. Not thread-safe. */
public interface DcStreamInitiatorBuilder extends QueuePairBuilder<DcStreamInitiatorBuilder> {
  /**
   * Sets how many failed streams make the whole initiator fail; rounded up to a power of two.
   * Default: all of them.
   *
   * @param count 1 … the number of streams
   */
  DcStreamInitiatorBuilder failures(int count);

  /** Sets options, as {@link DcInitiatorBuilder#options}. */
  DcStreamInitiatorBuilder options(ConnectOptions values);

  /**
   * Sets whether the queue pair may copy within local memory, see {@link DcStream#copyMemory(long,
   * int, long, int, int)}. Default off.
   */
  DcStreamInitiatorBuilder memoryCopies(boolean on);

  /**
   * Creates the queue pair, ready to send.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses, for example because it supports
   *     fewer streams
   */
  DcStreamInitiator create();
}
