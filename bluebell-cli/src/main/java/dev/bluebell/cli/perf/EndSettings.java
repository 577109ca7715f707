package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.SharedReceiveQueue;
import org.jspecify.annotations.Nullable;

/**
 * What an end of a connection is made of.
 *
 * @param requests where requests complete
 * @param receives where receive requests complete
 * @param sendRequests size of the send queue
 * @param receiveRequests receive requests that the end has outstanding; 0 for none
 * @param inline bytes of data that a request may have inside
 * @param shared what it receives from with others; null for a queue of its own
 */
record EndSettings(
    ProtectionDomain domain,
    CompletionQueue requests,
    CompletionQueue receives,
    int sendRequests,
    int receiveRequests,
    int inline,
    @Nullable SharedReceiveQueue shared) {}
