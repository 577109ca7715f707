package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/** Describes a datagram queue pair to be created. Not thread-safe. */
public final class UdQueuePairBuilder extends ReceivingQueuePairBuilder<UdQueuePairBuilder> {
  /** The key that perftest and the examples of rdma-core use. */
  private static final int DEFAULT_QUEUE_KEY = 0x11111111;

  private int queueKey = DEFAULT_QUEUE_KEY;

  UdQueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    super(domain, completions);
  }

  @Override
  UdQueuePairBuilder self() {
    return this;
  }

  /**
   * Sets the queue key that datagrams must carry to be received. Default 0x11111111, as perftest's.
   *
   * @param key 32 bits; see {@link UdEndpoint#qkey} for keys with bit 31 set
   */
  public UdQueuePairBuilder queueKey(int key) {
    queueKey = key;
    return this;
  }

  /**
   * Creates the queue pair, ready to send and to receive.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public UdQueuePair create() {
    DatagramSettings settings = new DatagramSettings(address(), queueKey);
    return QueuePairParts.assemble(plan(ServiceType.UD), parts -> new UdQueuePair(parts, settings));
  }
}
