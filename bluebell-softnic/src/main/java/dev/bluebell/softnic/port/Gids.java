package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Converts between the GIDs of RoCE v2 and IP addresses. Mirrors the RoCEv2 annex, A17.4. */
public final class Gids {
  /** The lower half of the GID of the IPv4 address 0.0.0.0; the address itself is its low bits. */
  public static final long IPV4_LOW = 0xffff_0000_0000L;

  private static final int IPV4_BYTES = 4;

  private Gids() {}

  /** The GID of an address. */
  public static Gid of(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == IPV4_BYTES ? Gid.ofIpv4(ByteBuffer.wrap(bytes).getInt()) : Gid.of(bytes);
  }

  /** The IP address of a GID. */
  public static InetAddress address(long high, long low) {
    try {
      // Java turns the bytes of an IPv4-mapped address into an IPv4 address.
      return InetAddress.getByAddress(new Gid(high, low).bytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("16 bytes are always an address", e);
    }
  }

  /** The text of a GID: that of the IPv4 address which it maps, or its hexadecimal digits. */
  public static String text(Gid gid) {
    return gid.isIpv4() ? address(gid.high(), gid.low()).getHostAddress() : gid.toString();
  }
}
