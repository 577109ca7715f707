package dev.bluebell.hca;

/**
 * The route to a peer: the parts of an address path that only the device side knows.
 *
 * @param mac Ethernet address of the next hop, 48 bits; 0 on InfiniBand
 * @param lid local identifier of the next hop, 16 bits; 0 on Ethernet
 * @param hopLimit IP hop limit, 1–255
 * @param udpSourcePort UDP source port of RoCE v2 packets; 0 for RoCE v1 and on InfiniBand
 */
public record HcaPath(long mac, int lid, int hopLimit, int udpSourcePort) {
  /** True when packets have a UDP header, and so an IP header: those of RoCE v2. */
  public boolean isUdp() {
    return udpSourcePort != 0;
  }
}
