package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * The queues of a queue pair.
 *
 * @param sends its send queue
 * @param sendCompletions where its requests complete
 * @param receives where messages to it are received
 */
public record Queues(SendQueue sends, CompletionQueue sendCompletions, ReceiveSource receives) {}
