package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;

/**
 * The Ethernet between the two devices.
 *
 * @param name name of the address family
 * @param address address of the software ConnectX, in the form of its option
 * @param guestAddress address of the virtual machine
 * @param own GID of the software ConnectX
 * @param guest GID of the virtual machine
 */
record Network(String name, String address, String guestAddress, Gid own, Gid guest) {
  static final Network IPV4 =
      new Network("IPv4", "10.0.0.1", "10.0.0.2", Gid.ofIpv4(0x0a000001), Gid.ofIpv4(0x0a000002));
  static final Network IPV6 =
      new Network(
          "IPv6", "fd00::1", "fd00::2", new Gid(0xfd00L << 48, 1), new Gid(0xfd00L << 48, 2));
}
