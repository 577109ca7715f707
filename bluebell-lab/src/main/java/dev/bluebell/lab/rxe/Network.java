package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;

/**
 * The Ethernet between the two.
 *
 * @param name of the address family
 * @param address of the software ConnectX, as its option has it
 * @param guestAddress of the virtual machine
 * @param own the first as a GID
 * @param guest the second as a GID
 */
record Network(String name, String address, String guestAddress, Gid own, Gid guest) {
  static final Network IPV4 =
      new Network("IPv4", "10.0.0.1", "10.0.0.2", Gid.ofIpv4(0x0a000001), Gid.ofIpv4(0x0a000002));
  static final Network IPV6 =
      new Network(
          "IPv6", "fd00::1", "fd00::2", new Gid(0xfd00L << 48, 1), new Gid(0xfd00L << 48, 2));
}
