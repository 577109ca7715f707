package dev.bluebell.verbs;

/** Builder of a shared receive queue of XRC. Not thread-safe. */
public interface XrcSharedReceiveQueueBuilder {
  /**
   * Sets how many requests can be outstanding. It is raised to the next power of two less one: one
   * entry is always spare. Default 255.
   *
   * @param count 1 … 32767
   */
  XrcSharedReceiveQueueBuilder requests(int count);

  /**
   * Sets how many scatter entries a request may have, raised to the next power of two less one.
   * Default 1.
   *
   * @param entries 1 … 127
   */
  XrcSharedReceiveQueueBuilder maxScatter(int entries);

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit, or the objects belong
   *     to different devices
   * @throws IllegalStateException when a domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  XrcSharedReceiveQueue create();
}
