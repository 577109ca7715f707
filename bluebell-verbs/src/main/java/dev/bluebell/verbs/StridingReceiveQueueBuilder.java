package dev.bluebell.verbs;

/** Builder of a striding receive queue. Not thread-safe. */
public interface StridingReceiveQueueBuilder {
  /**
   * Sets how many entries can be posted. It is raised to the next power of two less one: one entry
   * is always spare. Default 15.
   *
   * @param count 1 … 32767
   */
  StridingReceiveQueueBuilder requests(int count);

  /**
   * Sets how many strides an entry has, raised to the next power of two, and to {@link
   * DeviceAttributes#minStrides()} of the device. Default 64.
   *
   * @param count 8 … 65536
   */
  StridingReceiveQueueBuilder strides(int count);

  /**
   * Sets the size of a stride, raised to the next power of two. The device refuses longer packets,
   * so use at least the path MTU of the connections. Default 4096.
   *
   * @param bytes 64 … 8192
   */
  StridingReceiveQueueBuilder strideBytes(int bytes);

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException on a device without {@link DeviceAttributes#stridingReceives()},
   *     or when the domain is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  StridingReceiveQueue create();
}
