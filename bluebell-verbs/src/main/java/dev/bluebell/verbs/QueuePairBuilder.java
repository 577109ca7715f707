package dev.bluebell.verbs;

/**
 * Builder of a queue pair of any service: its send queue and its address.
 *
 * @param <B> the builder itself
 */
public interface QueuePairBuilder<B extends QueuePairBuilder<B>> extends AddressBuilder<B> {
  /**
   * Sets the size of the send queue. It has room for this number of the longest requests that
   * {@link #maxGather(int)} and {@link #maxInline(int)} allow, or for more if they are shorter. It
   * is rounded up to a power of two in WQEBBs, the 64-byte blocks that {@link QueuePair#freeWqebbs}
   * counts. Default 64.
   *
   * @param requests 1 … 32768
   */
  B sendQueue(int requests);

  /**
   * Sets how many gather entries a request may have. Default 2: a request of a connection then
   * takes one WQEBB. A request may have more when it takes no more WQEBBs than that.
   *
   * @param entries 0 … 61
   */
  B maxGather(int entries);

  /**
   * Sets how many bytes of inline data a request may have. Default 28: a request of a connection
   * then takes one WQEBB. A request may have more when it takes no more WQEBBs than that.
   *
   * @param bytes 0 … 972
   */
  B maxInline(int bytes);

  /**
   * Sets whether a NOP fills the end of the ring where a request would wrap around. Each request is
   * then contiguous, which matters when other requests address it. The queue grows by the longest
   * fill. Default off.
   */
  B nopFill(boolean on);

  /**
   * Sets whether a single request of 32 to 256 bytes is copied into the doorbell register when it
   * is rung. This saves the hardware a fetch and costs the processor a copy. Default off; devices
   * without BlueFlame ignore it.
   */
  B blueFlame(boolean on);
}
