package dev.bluebell.verifier;

/**
 * A limit of a queue.
 *
 * @param index index after the last one that the queue may execute, unwrapped
 * @param since events that have certainly happened when the device can learn of the limit
 */
record Limit(long index, Clock since) {}
