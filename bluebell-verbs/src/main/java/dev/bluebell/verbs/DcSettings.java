package dev.bluebell.verbs;

/**
 * The settings of a DC initiator.
 *
 * @param port its port, from 1
 * @param gidIndex entry of the GID table that is its address
 * @param pkeyIndex entry of the partition key table
 * @param options how it talks to targets
 */
record DcSettings(int port, int gidIndex, int pkeyIndex, ConnectOptions options) {}
