package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;

/**
 * Addresses of groups of receivers. Mirrors RFC 4291 and RFC 1112 for GIDs, and RFC 2464 for their
 * Ethernet addresses.
 */
public final class Multicast {
  /** Destination queue pair number of datagrams to a group. */
  public static final int QPN = 0xff_ffff;

  /** Most queue pairs in one group: each datagram to the group is delivered to all of them. */
  public static final int MOST_MEMBERS = 32;

  private static final int IPV6_PREFIX = 0xff;
  private static final int IPV4_PREFIX = 0xe;

  private static final long IPV6_MAC = 0x3333_0000_0000L;
  private static final long IPV4_MAC = 0x0100_5e00_0000L;

  private Multicast() {}

  /** True for a GID of a group: ff00::/8, or 224.0.0.0/4 as an IPv4 address. */
  public static boolean isGroup(Gid gid) {
    return gid.high() >>> 56 == IPV6_PREFIX || isIpv4(gid);
  }

  private static boolean isIpv4(Gid gid) {
    return gid.isIpv4() && (gid.low() >>> 28 & 0xf) == IPV4_PREFIX;
  }

  /** Ethernet address of a group, 48 bits. */
  public static long mac(Gid group) {
    return isIpv4(group)
        ? IPV4_MAC | group.low() & 0x7f_ffff
        : IPV6_MAC | group.low() & 0xffffffffL;
  }
}
