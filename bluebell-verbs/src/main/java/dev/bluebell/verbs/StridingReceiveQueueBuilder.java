package dev.bluebell.verbs;

/** Describes a receive queue with strides to be created. Not thread-safe. */
public final class StridingReceiveQueueBuilder {
  private static final int MAX_REQUESTS = 32767;
  private static final int MIN_STRIDES = 8;
  private static final int MAX_STRIDES = 65536;
  private static final int MIN_STRIDE_BYTES = 64;
  private static final int MAX_STRIDE_BYTES = 8192;

  private final ProtectionDomain domain;
  private int requests = 15;
  private int strides = 64;
  private int strideBytes = 4096;

  StridingReceiveQueueBuilder(ProtectionDomain domain) {
    this.domain = domain;
  }

  /**
   * Sets how many entries can be posted. It is raised to the next power of two less one: one entry
   * is always spare. Default 15.
   *
   * @param count 1 … 32767
   */
  public StridingReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, MAX_REQUESTS);
    return this;
  }

  /**
   * Sets how many strides an entry has, raised to the next power of two, and to {@link
   * DeviceAttributes#minStrides()} of the device. Default 64.
   *
   * @param count 8 … 65536
   */
  public StridingReceiveQueueBuilder strides(int count) {
    strides = Ranges.require("strides", count, MIN_STRIDES, MAX_STRIDES);
    return this;
  }

  /**
   * Sets the size of a stride, raised to the next power of two. A packet that is longer is refused,
   * so this should be the path MTU of the connections at least. Default 4096.
   *
   * @param bytes 64 … 8192
   */
  public StridingReceiveQueueBuilder strideBytes(int bytes) {
    strideBytes = Ranges.require("strideBytes", bytes, MIN_STRIDE_BYTES, MAX_STRIDE_BYTES);
    return this;
  }

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException on a device without {@link DeviceAttributes#stridingReceives()},
   *     or when the domain is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public StridingReceiveQueue create() {
    domain.lifetime().requireOpen();
    DeviceAttributes attributes = domain.device().attributes();
    if (!attributes.stridingReceives()) {
      throw new IllegalStateException(
          domain.device() + " has no receive queues with strides (ib_striding_wq)");
    }
    SharedReceiveShape shape = SharedReceiveShape.of(requests, 1, attributes);
    return LinkedReceiveQueue.add(
        new StridingReceiveQueue(
            domain,
            shape,
            Sizes.log2Ceiling(Math.max(strides, attributes.minStrides())),
            Sizes.log2Ceiling(strideBytes)));
  }
}
