package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * The queues of a queue pair.
 *
 * @param sends its send queue
 * @param sendCompletions the completion queue of its requests
 * @param receives the source of receive WQEs for messages to it
 */
public record Queues(SendQueue sends, CompletionQueue sendCompletions, ReceiveSource receives) {}
