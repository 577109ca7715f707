package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import org.jspecify.annotations.Nullable;

/**
 * The send queue of a requester, and the receivers of its completions.
 *
 * @param queue the send queue
 * @param source fetches WQEs from it: all of them, or those of a stream
 * @param completions the completion queue of the send queue
 * @param reports receives the outcome of requests
 * @param injected injects failures of requests; null on a device without fault injection
 */
public record SendSide(
    SendQueue queue,
    WqeSource source,
    CompletionQueue completions,
    RequestReports reports,
    @Nullable RequestFaults injected) {}
