package dev.bluebell.cli.perf;

/**
 * An end of a connection.
 *
 * @param requester sends to the peer
 * @param receives receives from the peer
 * @param number number in its receive completions: that of the queue pair or target
 */
record End(Requester requester, ReceiveQueue receives, int number) {}
