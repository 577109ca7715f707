package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;

/**
 * The address of a datagram queue pair: whoever has it can send there. Exchange it by any means, as
 * {@linkplain #bytes bytes} or as {@linkplain #toString text}.
 *
 * @param gid GID of its port
 * @param qpn its number, 24 bits
 * @param qkey its queue key, which datagrams for it must carry, 32 bits. A key with bit 31 set is
 *     never carried: such an address is reached by queue pairs that have the same key themselves.
 * @param mtu largest datagram that it takes, in bytes: 256, 512, 1024, 2048 or 4096
 */
public record UdEndpoint(Gid gid, int qpn, int qkey, int mtu) {
  /** Size of the binary form. */
  public static final int BYTES = 28;

  private static final EndpointForm FORM =
      new EndpointForm(
          "an endpoint of datagrams",
          BYTES,
          "gid=([0-9a-f:]{39}) qpn=0x([0-9a-f]{6}) qkey=0x([0-9a-f]{8}) mtu=(\\d{3,4})",
          "gid=… qpn=0x… qkey=0x… mtu=…");

  /** Checks the ranges. */
  public UdEndpoint {
    if (qpn >>> 24 != 0) {
      throw new IllegalArgumentException("qpn 0x%x must have 24 bits".formatted(qpn));
    }
    PathMtu.code(mtu);
  }

  /**
   * The binary form, big-endian: version, a zero byte, MTU (2 bytes), QPN (4), queue key (4), GID
   * (16).
   */
  public byte[] bytes() {
    return EndpointForm.end(FORM.begin(0, mtu, qpn).putInt(qkey), gid);
  }

  /**
   * From the binary form.
   *
   * @throws IllegalArgumentException when the bytes are not one
   */
  public static UdEndpoint of(byte[] bytes) {
    ByteBuffer in = FORM.open(bytes);
    in.get();
    int mtu = in.getShort() & 0xffff;
    int qpn = in.getInt();
    int qkey = in.getInt();
    return new UdEndpoint(EndpointForm.gid(in), qpn, qkey, mtu);
  }

  /**
   * From the text that {@link #toString} gives.
   *
   * @throws IllegalArgumentException when the text is not one
   */
  public static UdEndpoint parse(String text) {
    Matcher matcher = FORM.match(text);
    return new UdEndpoint(
        Gid.parse(matcher.group(1)),
        Integer.parseInt(matcher.group(2), 16),
        Integer.parseUnsignedInt(matcher.group(3), 16),
        Integer.parseInt(matcher.group(4)));
  }

  @Override
  public String toString() {
    return "gid=%s qpn=0x%06x qkey=0x%08x mtu=%d".formatted(gid, qpn, qkey, mtu);
  }
}
