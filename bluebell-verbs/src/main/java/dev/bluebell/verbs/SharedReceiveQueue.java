package dev.bluebell.verbs;

/**
 * A receive queue that many queue pairs share: a message to any of them takes the next request. Its
 * completion comes to the completion queue of the queue pair that received the message, and gives
 * the request's entry back, in whatever order completions are polled. Mirrors {@code verbs.h:
 * ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. The completions of its queue
 * pairs may be polled by any number of threads. Arming and closing are thread-safe.
 *
 * <p>A request's entry stays occupied until its completion is polled, also when its queue pair was
 * closed meanwhile and nobody is told of it.
 */
public interface SharedReceiveQueue extends ScatteringReceiveQueue {}
