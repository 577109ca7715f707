package dev.bluebell.verifier;

/**
 * How far a queue may go.
 *
 * @param index itself excluded, counted on for ever
 * @param since what has certainly happened when the device may first know
 */
record Limit(long index, Clock since) {}
