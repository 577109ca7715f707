package dev.bluebell.verbs;

/**
 * The sending end of an extended reliable connection (XRC initiator): it is connected to an {@link
 * XrcTarget}, and each request names its {@link XrcSharedReceiveQueue} there. So one connection
 * serves all receivers of a domain. An initiator receives nothing. Mirrors {@code verbs.h:
 * IBV_QPT_XRC_SEND}.
 *
 * <p>WRITEs, READs and atomics also name a queue: their remote keys belong to its protection
 * domain.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface XrcInitiator extends OrderedQueuePair, ConnectedQueuePair {
  /**
   * Starts a request to a shared receive queue.
   *
   * @param number number of the queue, 24 bits, which the peer must send: {@link
   *     XrcSharedReceiveQueue#number}
   */
  @CheckReturnValue
  ReliableOperations toSharedReceives(int number);
}
