package dev.bluebell.verbs;

/** Builder of an initiator of extended reliable connections. Not thread-safe. */
public interface XrcInitiatorBuilder extends QueuePairBuilder<XrcInitiatorBuilder> {
  /**
   * Sets the sequence number of the first packet. Default: a random number, and another one after
   * each reset.
   *
   * @param psn 24 bits
   */
  XrcInitiatorBuilder initialPsn(int psn);

  /**
   * Creates the queue pair and moves it to the INIT state.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  XrcInitiator create();
}
