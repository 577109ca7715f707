package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;

/**
 * The Ethernet between the two.
 *
 * @param name of the address family
 * @param address of the software ConnectX, as its option has it
 * @param own the same as a GID
 * @param guest address of the virtual machine
 */
record Network(String name, String address, Gid own, Gid guest) {
  static final Network IPV4 =
      new Network("IPv4", "10.0.0.1", Gid.ofIpv4(0x0a000001), Gid.ofIpv4(0x0a000002));
  static final Network IPV6 =
      new Network("IPv6", "fd00::1", new Gid(0xfd00L << 48, 1), new Gid(0xfd00L << 48, 2));
}
