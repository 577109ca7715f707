package dev.bluebell.connect.cm;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Addresses and ports in the form of {@code sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int PORT = 2;
  private static final int INET_ADDRESS = 4;
  private static final int INET6_ADDRESS = 8;
  private static final int INET6_SCOPE = 24;

  private SocketAddresses() {}

  /**
   * The {@code sockaddr} of an address.
   *
   * @param room bytes, with zeros behind the address
   */
  static byte[] bytes(InetSocketAddress address, int room) {
    InetAddress host = address.getAddress();
    if (host == null) {
      throw new IllegalArgumentException("%s has no IP address".formatted(address));
    }
    byte[] bytes = new byte[room];
    ByteBuffer fields = ByteBuffer.wrap(bytes).putShort(PORT, (short) address.getPort());
    boolean isIpv4 = host instanceof Inet4Address;
    fields.order(ByteOrder.nativeOrder()).putShort(0, (short) (isIpv4 ? AF_INET : AF_INET6));
    fields.put(isIpv4 ? INET_ADDRESS : INET6_ADDRESS, host.getAddress());
    if (host instanceof Inet6Address scoped) {
      fields.putInt(INET6_SCOPE, scoped.getScopeId());
    }
    return bytes;
  }

  /** The address in a {@code sockaddr}, of the device or kernel, of IPv4 or IPv6. */
  static InetSocketAddress of(byte[] sockaddr) {
    ByteBuffer fields = ByteBuffer.wrap(sockaddr);
    int port = Short.toUnsignedInt(fields.getShort(PORT));
    boolean isIpv4 = fields.order(ByteOrder.nativeOrder()).getShort(0) == AF_INET;
    byte[] host = new byte[isIpv4 ? Integer.BYTES : 2 * Long.BYTES];
    fields.get(isIpv4 ? INET_ADDRESS : INET6_ADDRESS, host);
    try {
      return new InetSocketAddress(InetAddress.getByAddress(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
