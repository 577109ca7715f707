package dev.bluebell.verbs;

/** Builder of a datagram queue pair. Not thread-safe. */
public interface UdQueuePairBuilder extends ReceivingQueuePairBuilder<UdQueuePairBuilder> {
  /**
   * Sets the queue key that datagrams must carry to be received. Default 0x11111111, as in
   * perftest.
   *
   * @param key 32 bits; see {@link UdEndpoint#qkey} for keys with bit 31 set
   */
  UdQueuePairBuilder queueKey(int key);

  /**
   * Creates the queue pair, ready to send and to receive.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  UdQueuePair create();
}
