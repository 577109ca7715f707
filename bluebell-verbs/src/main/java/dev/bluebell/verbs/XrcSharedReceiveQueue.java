package dev.bluebell.verbs;

/**
 * A shared receive queue of extended reliable connections: a message that names it consumes its
 * next request, whichever target of its {@link XrcDomain} receives the message. Completions go to
 * the queue's own completion queue and carry the number of the target. Requests use keys of the
 * queue's protection domain. Mirrors {@code verbs.h: IBV_SRQT_XRC}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Arming and closing are
 * thread-safe. Requests for a closed queue are refused, and end their connections.
 *
 * <p>If a target is closed or reset in the middle of a message, the request of that message is lost
 * until this queue is closed. To keep it, first move the target to the error state by {@link
 * TargetQueuePair#toError}, wait for its event {@link AsyncEvent.Type#LAST_WQE_REACHED}, and poll
 * this queue's completion queue until it is empty.
 */
public interface XrcSharedReceiveQueue extends ScatteringReceiveQueue {}
