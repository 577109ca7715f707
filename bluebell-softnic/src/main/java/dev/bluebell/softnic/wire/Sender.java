package dev.bluebell.softnic.wire;

/**
 * Who sent a datagram.
 *
 * @param gidHigh upper half of the GID of its address
 * @param gidLow lower half of it
 * @param port of UDP
 */
record Sender(long gidHigh, long gidLow, int port) {}
