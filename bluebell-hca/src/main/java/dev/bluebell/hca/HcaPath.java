package dev.bluebell.hca;

/**
 * The way to a peer: the parts of an address path that only the device side knows.
 *
 * @param mac Ethernet address of the next hop, 48 bits
 * @param hopLimit IP hop limit, 1–255
 * @param udpSourcePort UDP source port of RoCEv2 packets
 */
public record HcaPath(long mac, int hopLimit, int udpSourcePort) {}
