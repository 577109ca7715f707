package dev.bluebell.verbs;

/** Builder of a tag-matching receive queue. Not thread-safe. */
public interface TagMatchingReceiveQueueBuilder {
  /**
   * Sets how many tags can be in the list, raised to the next power of two less one. Default 63.
   *
   * @param count 1 … 32767
   */
  TagMatchingReceiveQueueBuilder tags(int count);

  /**
   * Sets how many changes of the list can be outstanding, rounded up to a power of two. Default 64.
   *
   * @param count 1 … 32768
   */
  TagMatchingReceiveQueueBuilder operations(int count);

  /**
   * Sets how many requests for unexpected messages can be outstanding, raised to the next power of
   * two less one. Default 63.
   *
   * @param count 1 … 32767
   */
  TagMatchingReceiveQueueBuilder requests(int count);

  /**
   * Sets how many scatter entries a request for an unexpected message may have, raised to the next
   * power of two less one. Default 1.
   *
   * @param entries 1 … 127
   */
  TagMatchingReceiveQueueBuilder maxScatter(int entries);

  /**
   * Sets whether the device performs the rendezvous of messages that offer their payload to a
   * {@link TagMatchingReceiveQueue#rendezvousTarget()}. Default off.
   *
   * @throws IllegalStateException on a device that does not support it
   */
  TagMatchingReceiveQueueBuilder rendezvous(boolean on);

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the device has no tag matching, or the domain or the
   *     completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  TagMatchingReceiveQueue create();
}
