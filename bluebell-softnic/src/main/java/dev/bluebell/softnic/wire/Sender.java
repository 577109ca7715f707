package dev.bluebell.softnic.wire;

/**
 * The sender of a datagram.
 *
 * @param gidHigh upper half of the GID of its address
 * @param gidLow lower half of it
 * @param port of UDP
 */
record Sender(long gidHigh, long gidLow, int port) {}
