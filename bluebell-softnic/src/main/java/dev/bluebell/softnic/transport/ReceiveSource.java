package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ReceiveQueue;

/**
 * Where a message is received: a queue of receive WQEs, which has its protection domain, and how
 * their completions are told. A queue pair has one of its own or shares one; which it is, is asked
 * for each message.
 *
 * @param userIndex what completions name the receiver by
 * @param isShared true when others receive from the queue, too
 */
public record ReceiveSource(
    ReceiveQueue queue, CompletionQueue completions, int userIndex, boolean isShared) {}
