package dev.bluebell.roce.packet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A packet in a buffer: finds its headers, payload, padding and ICRC by the lengths and opcodes in
 * it, without trusting them. A flyweight: {@link #wrap} neither allocates nor copies, and its
 * results are valid until the next call. Owned by one thread.
 */
public final class PacketView {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int MAX_TAGS = 2;

  /** Link header, two tags, LRH, network header, UDP, BTH, and at most four more. */
  private static final int MAX_HEADERS = 11;

  private static final int VCRC_BYTES = 2;
  private static final int WORD_BYTES = 4;

  private final Header[] headers = new Header[MAX_HEADERS];
  private final int[] starts = new int[MAX_HEADERS];
  private final Icrc icrc = new Icrc();

  private ByteBuffer buffer = NOTHING;
  private int count;
  private Problem problem = Problem.NO_LINK_HEADER;

  /** Offset of the next header. */
  private int next;

  /** Where the captured bytes end. */
  private int limit;

  /** End of the packet on the wire; differs from the captured end if it was captured partially. */
  private long wireLimit;

  /** Index of the network header among the headers; that of the LRH for InfiniBand. */
  private int network;

  private int bth;
  private int end;

  /** An empty view. */
  public PacketView() {}

  /**
   * Parses a packet.
   *
   * @param packet a buffer in big-endian order
   * @param offset start of the packet
   * @param captured number of its bytes that are present, at most to the end of the buffer
   * @param wire its length on the wire; more than {@code captured} if it was captured partially
   * @param link type of its first header
   * @return {@link Problem#NONE} for a RoCE or InfiniBand packet; otherwise what is wrong, and the
   *     headers before the problem are available
   * @throws IllegalArgumentException when the range is not in the buffer, or its order is wrong
   */
  public Problem wrap(ByteBuffer packet, int offset, int captured, long wire, LinkType link) {
    begin(packet, offset, captured, wire);
    problem = link(link);
    return problem;
  }

  /**
   * Parses a RoCEv2 packet from its BTH on; the caller wrote its IP and UDP headers itself.
   *
   * @param packet a buffer in big-endian order
   * @param ip start of the IP header: IPv4 without options, or IPv6
   * @param from start of the BTH, behind the UDP header
   * @param bytes from there to the end of the ICRC
   * @return as {@link #wrap}
   * @throws IllegalArgumentException when the range is not in the buffer, or its order is wrong
   */
  public Problem wrapTransport(ByteBuffer packet, int ip, int from, int bytes) {
    int udp = from - Udp.HEADER.bytes();
    int ipBytes = udp - ip;
    if (ip < 0 || ipBytes != Ipv4.HEADER.bytes() && ipBytes != Ipv6.HEADER.bytes()) {
      throw new IllegalArgumentException(
          "a BTH at %d can't belong to an IP header at %d: IPv4 without options or IPv6, and UDP, are between them"
              .formatted(from, ip));
    }
    begin(packet, from, bytes, bytes);
    headers[0] = ipBytes == Ipv4.HEADER.bytes() ? Ipv4.HEADER : Ipv6.HEADER;
    starts[0] = ip;
    headers[1] = Udp.HEADER;
    starts[1] = udp;
    count = 2;
    network = 0;
    problem = transport(limit);
    return problem;
  }

  private void begin(ByteBuffer packet, int from, int captured, long wire) {
    if (packet.order() != ByteOrder.BIG_ENDIAN
        || from < 0
        || captured < 0
        || captured > packet.capacity() - from
        || wire < captured) {
      throw new IllegalArgumentException(
          "a packet of %d bytes, of which %d are at %d in a buffer of %d bytes: give a range of the"
                  .formatted(wire, captured, from, packet.capacity())
              + " buffer, in big-endian order");
    }
    buffer = packet;
    count = 0;
    next = from;
    limit = from + captured;
    wireLimit = from + wire;
    network = -1;
    bth = -1;
    end = limit;
  }

  private boolean take(Header header) {
    if (limit - next < header.bytes()) {
      return false;
    }
    headers[count] = header;
    starts[count++] = next;
    next += header.bytes();
    return true;
  }

  private int last() {
    return starts[count - 1];
  }

  private Problem link(LinkType link) {
    return switch (link) {
      case ETHERNET -> take(Ethernet.HEADER) ? typed(Ethernet.TYPE) : Problem.NO_LINK_HEADER;
      case LINUX_SLL -> take(Sll.HEADER) ? typed(Sll.TYPE) : Problem.NO_LINK_HEADER;
      case LINUX_SLL2 -> take(Sll2.HEADER) ? typed(Sll2.TYPE) : Problem.NO_LINK_HEADER;
      case IPV4 -> ipv4();
      case IPV6 -> ipv6();
      case INFINIBAND -> infiniBand();
      case RAW_IP ->
          limit == next
              ? Problem.NO_NETWORK_HEADER
              : (buffer.get(next) & 0xf0) == 0x40 ? ipv4() : ipv6();
    };
  }

  /** Parses the header that an EtherType announces. */
  private Problem typed(Field type) {
    int etherType = type.getInt(buffer, last());
    for (int tags = 0; isTag(etherType) && tags < MAX_TAGS; tags++) {
      if (!take(Vlan.HEADER)) {
        return Problem.NO_LINK_HEADER;
      }
      etherType = Vlan.TYPE.getInt(buffer, last());
    }
    return switch (etherType) {
      case Ethernet.IPV4 -> ipv4();
      case Ethernet.IPV6 -> ipv6();
      case Ethernet.ROCE_V1 -> globalRoute();
      default -> Problem.OTHER_ETHER_TYPE;
    };
  }

  private static boolean isTag(int etherType) {
    return etherType == Ethernet.VLAN || etherType == Ethernet.SERVICE_VLAN;
  }

  private Problem ipv4() {
    network = count;
    if (!take(Ipv4.HEADER)) {
      return Problem.NO_NETWORK_HEADER;
    }
    int at = last();
    if (Ipv4.VERSION.get(buffer, at) != 4) {
      return Problem.NETWORK_VERSION;
    }
    if (Ipv4.PROTOCOL.get(buffer, at) != Udp.PROTOCOL) {
      return Problem.NOT_UDP;
    }
    if (Ipv4.IHL.get(buffer, at) * WORD_BYTES != Ipv4.HEADER.bytes()) {
      return Problem.IPV4_OPTIONS;
    }
    if ((Ipv4.FLAGS.get(buffer, at) & Ipv4.MORE_FRAGMENTS) != 0
        || Ipv4.FRAGMENT_OFFSET.get(buffer, at) != 0) {
      return Problem.FRAGMENT;
    }
    int networkEnd = at + Ipv4.TOTAL_LENGTH.getInt(buffer, at);
    return networkEnd < next || networkEnd > wireLimit ? Problem.NETWORK_LENGTH : udp(networkEnd);
  }

  private Problem ipv6() {
    network = count;
    if (!take(Ipv6.HEADER)) {
      return Problem.NO_NETWORK_HEADER;
    }
    int at = last();
    if (Ipv6.VERSION.get(buffer, at) != 6) {
      return Problem.NETWORK_VERSION;
    }
    if (Ipv6.NEXT_HEADER.get(buffer, at) != Udp.PROTOCOL) {
      return Problem.NOT_UDP;
    }
    int networkEnd = next + Ipv6.PAYLOAD_LENGTH.getInt(buffer, at);
    return networkEnd > wireLimit ? Problem.NETWORK_LENGTH : udp(networkEnd);
  }

  private Problem udp(int networkEnd) {
    if (!take(Udp.HEADER)) {
      return Problem.NO_NETWORK_HEADER;
    }
    int at = last();
    if (Udp.DST.get(buffer, at) != Udp.ROCE_PORT) {
      return Problem.NOT_ROCE;
    }
    int udpEnd = at + Udp.LENGTH.getInt(buffer, at);
    return udpEnd - next < Bth.HEADER.bytes() + Icrc.BYTES || udpEnd > networkEnd
        ? Problem.UDP_LENGTH
        : transport(udpEnd);
  }

  private Problem infiniBand() {
    network = count;
    if (!take(Lrh.HEADER)) {
      return Problem.NO_NETWORK_HEADER;
    }
    int at = last();
    int words = Lrh.PKT_LEN.getInt(buffer, at);
    int linkEnd = at + words * WORD_BYTES;
    if (linkEnd < next || linkEnd + VCRC_BYTES > wireLimit) {
      return Problem.NETWORK_LENGTH;
    }
    int following = Lrh.LNH.getInt(buffer, at);
    if (following == Lrh.LNH_BTH) {
      return transport(linkEnd);
    }
    return following == Lrh.LNH_GRH ? globalRoute() : Problem.OTHER_ETHER_TYPE;
  }

  private Problem globalRoute() {
    network = network < 0 ? count : network;
    if (!take(Grh.HEADER)) {
      return Problem.NO_NETWORK_HEADER;
    }
    int at = last();
    if (Grh.IP_VERSION.get(buffer, at) != 6) {
      return Problem.NETWORK_VERSION;
    }
    if (Grh.NEXT_HEADER.get(buffer, at) != Grh.BTH) {
      return Problem.OTHER_ETHER_TYPE;
    }
    int networkEnd = next + Grh.PAYLOAD_LENGTH.getInt(buffer, at);
    return networkEnd > wireLimit ? Problem.NETWORK_LENGTH : transport(networkEnd);
  }

  private Problem transport(int transportEnd) {
    if (transportEnd - next < Bth.HEADER.bytes() + Icrc.BYTES) {
      return Problem.NO_ROOM;
    }
    if (!take(Bth.HEADER)) {
      return Problem.NO_BTH;
    }
    bth = last();
    end = transportEnd;
    if (Bth.TVER.get(buffer, bth) != 0) {
      return Problem.TRANSPORT_VERSION;
    }
    Header[] extensions = BthOpcode.extensionsOf(opcode());
    if (extensions == null) {
      return Problem.OPCODE;
    }
    for (Header extension : extensions) {
      if (end - Icrc.BYTES - next < extension.bytes()) {
        return Problem.NO_ROOM;
      }
      if (!take(extension)) {
        return Problem.NO_BTH;
      }
    }
    return payloadBytes() < 0 ? Problem.NO_ROOM : Problem.NONE;
  }

  // ---- results

  /** The result of {@link #wrap}. */
  public Problem problem() {
    return problem;
  }

  /** The buffer. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Number of headers that were found. */
  public int headers() {
    return count;
  }

  /** A header, from the outermost (0) on. */
  public Header header(int index) {
    return headers[index];
  }

  /** Offset of a header. */
  public int headerAt(int index) {
    return starts[index];
  }

  /** Index of the first header behind the BTH; there must be a BTH. */
  public int firstExtension() {
    int i = count;
    while (starts[i - 1] != bth) {
      i--;
    }
    return i;
  }

  /** Offset of a header; −1 when the packet does not have it. */
  public int at(Header header) {
    for (int i = count - 1; i >= 0; i--) {
      if (headers[i] == header) {
        return starts[i];
      }
    }
    return -1;
  }

  /** True when a BTH was found. */
  public boolean hasBth() {
    return bth >= 0;
  }

  /** The BTH's opcode; there must be a BTH. */
  public int opcode() {
    return Bth.OPCODE.getInt(buffer, bth);
  }

  /** The BTH's PSN; there must be a BTH. */
  public int psn() {
    return Bth.PSN.getInt(buffer, bth);
  }

  /** The BTH's destination QP; there must be a BTH. */
  public int destinationQpn() {
    return Bth.DEST_QP.getInt(buffer, bth);
  }

  /** Offset of the payload, behind the last header. */
  public int payloadAt() {
    return next;
  }

  /** Bytes of payload on the wire, without padding; the packet must have no {@link #problem}. */
  public int payloadBytes() {
    return end - Icrc.BYTES - padBytes() - next;
  }

  /** Bytes of padding, 0 … 3; there must be a BTH. */
  public int padBytes() {
    return Bth.PAD_COUNT.getInt(buffer, bth);
  }

  /** Offset of the ICRC. */
  public int icrcAt() {
    return end - Icrc.BYTES;
  }

  /** End of the packet, where the bytes that the link added start. */
  public int end() {
    return end;
  }

  /** Where the captured bytes end. */
  public int limit() {
    return limit;
  }

  // ---- ICRC

  /** True when BTH and ICRC, and thus all bytes between them, were captured. */
  public boolean hasIcrc() {
    return bth >= 0 && end <= limit;
  }

  /** The ICRC of the packet, as the four bytes on the wire; {@link #hasIcrc} must hold. */
  public int icrc() {
    return buffer.getInt(icrcAt());
  }

  /** The ICRC that the packet should have; {@link #hasIcrc} must hold. */
  public int computeIcrc() {
    int at = starts[network];
    Header header = headers[network];
    if (header == Ipv4.HEADER) {
      icrc.ipv4(buffer, at, bth);
    } else if (header == Ipv6.HEADER) {
      icrc.ipv6(buffer, at, bth);
    } else if (header == Grh.HEADER) {
      icrc.v1(buffer, at, bth);
    } else {
      icrc.infiniBand(buffer, at, bth);
    }
    int body = bth + Bth.HEADER.bytes();
    return icrc.add(buffer, body, icrcAt() - body).wire();
  }

  /** True when the ICRC of the packet is correct; {@link #hasIcrc} must hold. */
  public boolean isIcrcGood() {
    return icrc() == computeIcrc();
  }

  /**
   * The IPv4 identification for which the ICRC is correct, for a receiver on a UDP socket, which
   * cannot see the identification. {@link #hasIcrc} must hold. With an unknown identification, the
   * ICRC detects only as many errors as one of 16 bits.
   *
   * @return 16 bits; −1 when no identification explains the ICRC, or the packet is not IPv4
   */
  public int identification() {
    int at = starts[network];
    if (headers[network] != Ipv4.HEADER) {
      return -1;
    }
    int behind = icrcAt() - (at + Icrc.IDENTIFICATION_END);
    int change = Icrc.change(icrc() ^ computeIcrc(), behind);
    return change < 0 ? -1 : change ^ Ipv4.IDENTIFICATION.getInt(buffer, at);
  }

  /** Completes a written packet: computes its IPv4 checksum and its ICRC. */
  public void seal() {
    int ipv4 = at(Ipv4.HEADER);
    if (ipv4 >= 0) {
      Ipv4.CHECKSUM.put(buffer, ipv4, Ipv4.checksum(buffer, ipv4));
    }
    buffer.putInt(icrcAt(), computeIcrc());
  }
}
