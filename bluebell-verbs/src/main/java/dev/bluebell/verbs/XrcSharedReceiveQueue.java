package dev.bluebell.verbs;

/**
 * A shared receive queue of extended reliable connections: a message that names it takes its next
 * request, through whatever target of its {@link XrcDomain} the message comes. Completions come to
 * the queue's own completion queue, and carry the number of the target. The keys that requests name
 * are those of the queue's protection domain. Mirrors {@code verbs.h: IBV_SRQT_XRC}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Arming and closing are
 * thread-safe. Requests for a queue that is closed are refused, and end their connections.
 */
public interface XrcSharedReceiveQueue extends ScatteringReceiveQueue {}
