package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The Ethernet between the two.
 *
 * @param name of the address family
 * @param own address of the software ConnectX
 * @param guest address of the virtual machine
 */
record Network(String name, String own, String guest) {
  private static final int GID_BYTES = 16;
  private static final int MAPPED_AT = 10;

  static final Network IPV4 = new Network("IPv4", "10.0.0.1", "10.0.0.2");
  static final Network IPV6 = new Network("IPv6", "fd00::1", "fd00::2");

  /** As the guest writes GIDs. */
  String ownGid() {
    return mapped(own);
  }

  String guestGid() {
    return mapped(guest);
  }

  /** The guest's, as the software ConnectX has GIDs. */
  Gid peer() {
    return Gid.of(bytes(guest));
  }

  /** The 16 bytes of an address, where one of IPv4 is mapped. */
  static byte[] bytes(String address) {
    byte[] bytes = InetAddress.ofLiteral(address).getAddress();
    if (bytes.length == GID_BYTES) {
      return bytes;
    }
    return ByteBuffer.allocate(GID_BYTES)
        .putShort(MAPPED_AT, (short) -1)
        .put(GID_BYTES - bytes.length, bytes)
        .array();
  }

  private static String mapped(String address) {
    return address.contains(":") ? address : "::ffff:" + address;
  }
}
