package dev.bluebell.verbs.command;

/**
 * The requested sizes of a queue pair.
 *
 * @param sendRequests requests in the send queue
 * @param maxGather gather entries of a send request
 * @param maxInline bytes of inline data of a send request
 * @param receiveRequests requests in the receive queue; 0 for none
 * @param maxScatter scatter entries of a receive request, at least 1
 */
public record QueuePairSizes(
    int sendRequests, int maxGather, int maxInline, int receiveRequests, int maxScatter) {}
