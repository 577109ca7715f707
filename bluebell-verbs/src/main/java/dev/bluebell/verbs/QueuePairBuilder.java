package dev.bluebell.verbs;

/**
 * Builder of a queue pair of any service: its send queue and its port.
 *
 * @param <B> the builder itself
 */
public interface QueuePairBuilder<B extends QueuePairBuilder<B>> {
  /**
   * Sets the size of the send queue. It has room for this number of the longest requests that
   * {@link #maxGather(int)} and {@link #maxInline(int)} allow, and for more shorter ones. It is
   * rounded up to a power of two in WQEBBs, the 64-byte blocks that {@link QueuePair#freeWqebbs}
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
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  B port(int number);

  /**
   * Sets the entry of the port's GID table that is the queue pair's address. Default: on InfiniBand
   * 0, the port's own GID; on Ethernet the IPv4 entry of RoCE v2, usually 3, or else the first
   * entry of RoCE v2.
   *
   * @param index 0 … 255
   */
  B gidIndex(int index);

  /**
   * InfiniBand: sets the low bits of the LID, which choose one of the port's 2<sup>LMC</sup> LIDs
   * as the queue pair's address. Packets leave from it, and the endpoint contains it. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  B pathBits(int bits);

  /**
   * Sets the index in the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  B pkeyIndex(int index);

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
