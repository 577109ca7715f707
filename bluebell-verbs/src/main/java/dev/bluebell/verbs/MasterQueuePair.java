package dev.bluebell.verbs;

/**
 * A {@link CrossChannelQueuePair} whose requests the device sees after {@link #ringDoorbell}, as
 * those of an {@link RcQueuePair}: what a NIC program is started with.
 *
 * <p>The device may read a request from its doorbell on, also while a WAIT before it holds the
 * queue. Threads: as {@link RcQueuePair}.
 */
public final class MasterQueuePair extends CrossChannelQueuePair {

  /** Makes the queue pair of its parts and moves it to INIT. */
  MasterQueuePair(QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings, report);
  }
}
