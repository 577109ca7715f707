package dev.bluebell.hca;

/**
 * State of a port.
 *
 * @param number from 1
 * @param linkLayer Ethernet or InfiniBand
 * @param active true when packets can flow
 * @param activeMtu largest path MTU in bytes: 256, 512, 1024, 2048 or 4096
 * @param maxMtu largest MTU that the port supports, in bytes
 * @param gidTableLength entries of the GID table
 * @param pkeyTableLength entries of the partition key table
 * @param mac Ethernet address, 48 bits; 0 on InfiniBand
 * @param lid local identifier on InfiniBand, 1 … 0xbfff, or 0 before the subnet manager has
 *     assigned one; 0 on Ethernet
 * @param lmc number of low bits of the local identifier that the port ignores, 0 … 7: it has
 *     2<sup>lmc</sup> identifiers
 * @param smLid local identifier of the subnet manager; 0 on Ethernet
 * @param speedMbps signalling rate in megabits per second; 0 when the device has no wire
 * @param globalRouteRequired on InfiniBand, true for a port that shares its LID with others: only
 *     packets with a global route header reach it, and it sends only such ones
 */
public record HcaPort(
    int number,
    LinkLayer linkLayer,
    boolean active,
    int activeMtu,
    int maxMtu,
    int gidTableLength,
    int pkeyTableLength,
    long mac,
    int lid,
    int lmc,
    int smLid,
    long speedMbps,
    boolean globalRouteRequired) {}
