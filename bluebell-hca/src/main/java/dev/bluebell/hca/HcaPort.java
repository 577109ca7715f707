package dev.bluebell.hca;

/**
 * State of a port.
 *
 * @param number from 1
 * @param active true when packets can flow
 * @param activeMtu largest path MTU in bytes: 256, 512, 1024, 2048 or 4096
 * @param maxMtu largest MTU that the port supports, in bytes
 * @param gidTableLength entries of the GID table
 * @param pkeyTableLength entries of the partition key table
 * @param mac Ethernet address, 48 bits
 * @param speedMbps signalling rate in megabits a second; 0 when the device has no wire
 */
public record HcaPort(
    int number,
    boolean active,
    int activeMtu,
    int maxMtu,
    int gidTableLength,
    int pkeyTableLength,
    long mac,
    long speedMbps) {}
