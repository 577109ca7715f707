package dev.bluebell.verbs;

/**
 * The settings of a datagram queue pair.
 *
 * @param port its port, from 1
 * @param gidIndex entry of the GID table that is its address
 * @param pkeyIndex entry of the partition key table
 * @param queueKey its queue key at first
 */
record DatagramSettings(int port, int gidIndex, int pkeyIndex, int queueKey) {}
