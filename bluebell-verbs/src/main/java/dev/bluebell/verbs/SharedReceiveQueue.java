package dev.bluebell.verbs;

/**
 * A receive queue that many queue pairs share: a message to any of them consumes the next request.
 * Its completion goes to the completion queue of the queue pair that received the message. Polling
 * it frees the request's entry, in any order. Mirrors {@code verbs.h: ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Any number of threads may poll
 * the completions of its queue pairs. Arming and closing are thread-safe.
 *
 * <p>A request's entry stays occupied until its completion is polled, even if its queue pair was
 * closed and the poll does not report it. If a queue pair is closed, destroyed or reset in the
 * middle of a message, the request of that message never completes, and its entry is lost until
 * this queue is closed. To keep the entry, first move the queue pair to the error state by {@link
 * QueuePair#toError}, wait for its event {@link AsyncEvent.Type#LAST_WQE_REACHED}, and poll its
 * completion queue until it is empty. The event has only the number of the queue pair. Events of a
 * device go to the thread that takes them, by {@link Device#pollEvent} or {@link
 * Device#awaitEvent}, and this one may come before the application knows that the peer has ended
 * the connection.
 */
public interface SharedReceiveQueue extends ScatteringReceiveQueue {}
