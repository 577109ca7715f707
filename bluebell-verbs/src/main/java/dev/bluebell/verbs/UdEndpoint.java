package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.verbs.value.EndpointForm;
import dev.bluebell.verbs.value.Ranges;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;

/**
 * The address of a datagram queue pair, which allows any queue pair to send to it. Exchange it by
 * any means, as {@linkplain #bytes bytes} or as {@linkplain #toString text}.
 *
 * @param gid GID of its port, or of a group
 * @param lid local identifier of its port, or of a group, on InfiniBand, 16 bits; 0 on Ethernet
 * @param qpn its number, 24 bits
 * @param qkey its queue key, which datagrams for it must carry, 32 bits. If bit 31 is set,
 *     datagrams carry the key of their own queue pair instead, so only queue pairs with the same
 *     key reach the address.
 * @param mtu largest datagram that it receives, in bytes: 256, 512, 1024, 2048 or 4096
 */
public record UdEndpoint(Gid gid, int lid, int qpn, int qkey, int mtu) {
  /** Size of the binary form. */
  public static final int BYTES = 30;

  /** {@code ib_verbs.h: IB_MULTICAST_QPN}. */
  private static final int GROUP_QPN = 0xffffff;

  private static final EndpointForm FORM =
      new EndpointForm(
          "a datagram endpoint",
          BYTES,
          EndpointForm.PLACE + " qpn=0x([0-9a-f]{6}) qkey=0x([0-9a-f]{8}) mtu=(\\d{3,4})",
          EndpointForm.PLACE_HINT + " qpn=0x… qkey=0x… mtu=…");

  /** The endpoint of a queue pair on Ethernet. */
  public UdEndpoint(Gid gid, int qpn, int qkey, int mtu) {
    this(gid, 0, qpn, qkey, mtu);
  }

  /** Checks the ranges. */
  public UdEndpoint {
    Ranges.require("lid", lid, 0, 0xffff);
    if (qpn >>> 24 != 0) {
      throw new IllegalArgumentException("qpn 0x%x must have 24 bits".formatted(qpn));
    }
    PathMtu.code(mtu);
  }

  /**
   * The address of a multicast group, to which queue pairs {@linkplain UdQueuePair#attach attach}.
   *
   * @param group its GID
   * @param lid its LID on InfiniBand, 0xc000 … 0xfffe, which the subnet manager assigns; 0 on
   *     Ethernet
   * @param qkey queue key of all its receivers
   * @param mtu largest datagram that all its receivers can receive, in bytes
   * @throws IllegalArgumentException when the LID is not that of a group
   */
  public static UdEndpoint ofGroup(Gid group, int lid, int qkey, int mtu) {
    if (lid != 0 && !AddressVector.isGroup(lid)) {
      throw new IllegalArgumentException(
          "lid 0x%x is not the LID of a group: use 0xc000 to 0xfffe on InfiniBand, 0 on Ethernet"
              .formatted(lid));
    }
    return new UdEndpoint(group, lid, GROUP_QPN, qkey, mtu);
  }

  /**
   * The binary form, big-endian: version, a zero byte, MTU (2 bytes), QPN (4), queue key (4), LID
   * (2), GID (16).
   */
  public byte[] bytes() {
    return EndpointForm.end(FORM.begin(0, mtu, qpn).putInt(qkey).putShort((short) lid), gid);
  }

  /**
   * Decodes the binary form.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static UdEndpoint of(byte[] bytes) {
    ByteBuffer in = FORM.open(bytes);
    in.get();
    int mtu = in.getShort() & 0xffff;
    int qpn = in.getInt();
    int qkey = in.getInt();
    int lid = in.getShort() & 0xffff;
    return new UdEndpoint(EndpointForm.gid(in), lid, qpn, qkey, mtu);
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException when the text is invalid
   */
  public static UdEndpoint parse(String text) {
    Matcher matcher = FORM.match(text);
    return new UdEndpoint(
        Gid.parse(matcher.group(1)),
        EndpointForm.lid(matcher),
        Integer.parseInt(matcher.group(3), 16),
        Integer.parseUnsignedInt(matcher.group(4), 16),
        Integer.parseInt(matcher.group(5)));
  }

  @Override
  public String toString() {
    return "%s qpn=0x%06x qkey=0x%08x mtu=%d"
        .formatted(EndpointForm.place(gid, lid), qpn, qkey, mtu);
  }
}
