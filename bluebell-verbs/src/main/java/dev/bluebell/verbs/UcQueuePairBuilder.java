package dev.bluebell.verbs;

/** Builder of an unreliable-connection queue pair. Not thread-safe. */
public interface UcQueuePairBuilder extends ReceivingQueuePairBuilder<UcQueuePairBuilder> {
  /**
   * Sets the rights of the peer; {@link Access#REMOTE_WRITE} is the only one that counts. Memory
   * keys limit it further. Default: that right.
   */
  UcQueuePairBuilder access(Access... rights);

  /**
   * Sets the sequence number of the first packet. Default: a random number, and another one after
   * each reset.
   *
   * @param psn 24 bits
   */
  UcQueuePairBuilder initialPsn(int psn);

  /**
   * Creates the queue pair and moves it to the INIT state, in which receives can be posted.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  UcQueuePair create();
}
