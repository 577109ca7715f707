package dev.bluebell.verbs;

/**
 * The settings of a datagram queue pair.
 *
 * @param address its address
 * @param queueKey its queue key at first
 */
record DatagramSettings(LocalAddress address, int queueKey) {}
