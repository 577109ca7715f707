package dev.bluebell.verbs;

/**
 * The sending end of an extended reliable connection (XRC initiator): it is connected to an {@link
 * XrcTarget}, and each request names the {@link XrcSharedReceiveQueue} there that it goes to. So
 * one connection serves all receivers of a domain. It receives nothing. Mirrors {@code verbs.h:
 * IBV_QPT_XRC_SEND}.
 *
 * <p>WRITEs, READs and atomics name a queue, too: the remote keys are those of its protection
 * domain.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface XrcInitiator extends OrderedQueuePair, ConnectedQueuePair {
  /**
   * Names the shared receive queue of the next request, which then starts.
   *
   * @param number its number, 24 bits, which the peer has told: {@link
   *     XrcSharedReceiveQueue#number}
   */
  @CheckReturnValue
  ReliableOperations toSharedReceives(int number);
}
