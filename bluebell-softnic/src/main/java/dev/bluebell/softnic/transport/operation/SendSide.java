package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests of a requester come from, and whom it tells what became of them.
 *
 * @param queue the send queue
 * @param source takes WQEs from it: all of them, or those of a stream
 * @param completions the completion queue of the send queue
 * @param reports hears what became of requests
 * @param injected lets requests fail on purpose; null on a device that injects no faults
 */
public record SendSide(
    SendQueue queue,
    WqeSource source,
    CompletionQueue completions,
    RequestReports reports,
    @Nullable RequestFaults injected) {}
