package dev.bluebell.softnic.wire;

import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.AtomicAckEth;
import dev.bluebell.roce.packet.AtomicEth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Cnp;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.Header;
import dev.bluebell.roce.packet.Icrc;
import dev.bluebell.roce.packet.Ieth;
import dev.bluebell.roce.packet.ImmDt;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.Ipv6;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Reth;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.roce.packet.XrcEth;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Packet;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Encodes a packet as RoCEv2 bytes, from its IP header to its ICRC, anywhere in a buffer, and
 * decodes it. Allocates nothing after its creation. Owned by the thread that runs the engine.
 *
 * <p>Invariant: where a packet is written, the buffer has {@link #ROOM} bytes, enough for the
 * longest headers and {@link #MAX_PAYLOAD} bytes; longer payload is rejected before it is copied.
 */
final class WireFormat {
  /** Most payload of one packet: the largest path MTU. */
  static final int MAX_PAYLOAD = 4096;

  /** More than any packet that this class accepts. */
  static final int ROOM = MAX_PAYLOAD + 512;

  static final int UDP_BYTES = Udp.HEADER.bytes();

  private static final int IP_V4 = 4;
  private static final int IP_V6 = 6;
  private static final int IHL = 5;
  private static final int DONT_FRAGMENT = 2;
  private static final int HOP_LIMIT = 64;

  private final ByteBuffer buffer;
  private final long address;
  private final PacketView view = new PacketView();

  private final Icrc icrc = new Icrc();

  // Where the packet's IP header and its BTH begin, and where a written packet ends.
  private int ip;
  private int bth;
  private int end;
  private boolean ipv4;

  // Whether a received packet has its own IP header.
  private boolean isWhole;

  /** Creates a format with its own buffer, for one packet. */
  WireFormat() {
    this(ByteBuffer.allocateDirect(ROOM));
  }

  /**
   * @param buffer of memory outside the heap, in big-endian order
   */
  WireFormat(ByteBuffer buffer) {
    this.buffer = buffer;
    address = MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
  }

  ByteBuffer buffer() {
    return buffer;
  }

  /** Bytes of IP and UDP header. */
  static int headerBytes(boolean ipv4) {
    return (ipv4 ? Ipv4.HEADER : Ipv6.HEADER).bytes() + UDP_BYTES;
  }

  /** Offset of the destination address in an IP header. */
  static int destinationAt(boolean ipv4) {
    return (ipv4 ? Ipv4.DST : Ipv6.DST).bit() / Byte.SIZE;
  }

  /** The traffic class in an IP header, 8 bits. */
  static int trafficClass(ByteBuffer buffer, int ip, boolean ipv4) {
    return ipv4 ? Ipv4.TOS.getInt(buffer, ip) : Ipv6.TRAFFIC_CLASS.getInt(buffer, ip);
  }

  // ---- from packet to bytes

  /** Says why a packet has no RoCEv2 wire format; empty when it has one. */
  static String whyNot(Packet packet) {
    int service = packet.opcode & ~BthOpcode.OPERATION_MASK;
    if (service > BthOpcode.XRC) {
      return "packets of dynamic connections (DC) have no public format, and travel between the"
          + " queue pairs of one device only";
    }
    int operation = BthOpcode.operation(packet.opcode);
    if (operation == BthOpcode.FLUSH || operation == BthOpcode.ATOMIC_WRITE) {
      return "this device has no format for the operations FLUSH and ATOMIC_WRITE";
    }
    if (isMasked(packet)) {
      return "masked atomics have no public packet format, and travel between the queue pairs of"
          + " one device only";
    }
    return packet.v1 ? "RoCE v1 has no UDP; use a RoCE v2 entry of the GID table" : "";
  }

  /** True for a masked atomic, or for the result of one on 16 bytes. */
  private static boolean isMasked(Packet packet) {
    return switch (BthOpcode.operation(packet.opcode)) {
      case BthOpcode.COMPARE_SWAP, BthOpcode.FETCH_ADD -> packet.masked.bytes != 0;
      case BthOpcode.ATOMIC_ACKNOWLEDGE -> packet.originalHigh != 0;
      default -> false;
    };
  }

  /**
   * Writes a packet that {@link #whyNot} accepts and that is not a train to the beginning of the
   * buffer.
   *
   * @param sourcePort of UDP, which the ICRC covers
   * @return bytes from the IP header to the ICRC
   */
  int encode(Packet packet, int sourcePort) {
    int end = write(packet, 0, sourcePort);
    seal(0);
    return end;
  }

  /**
   * Writes a packet like {@link #encode}, but without its checksums, which {@link #seal} adds.
   *
   * @param at where its IP header begins
   * @return where it ends
   */
  int write(Packet packet, int at, int sourcePort) {
    if (packet.payloadBytes > MAX_PAYLOAD || packet.packets != 1) {
      throw new IllegalArgumentException(
          "%s: one packet carries at most %d bytes".formatted(packet, MAX_PAYLOAD));
    }
    buffer.clear();
    ip = at;
    ipv4 = NetworkHeader.isIpv4(packet.destinationGidHigh, packet.destinationGidLow);
    bth = ip + headerBytes(ipv4);
    int body = putHeaders(packet, bth + Bth.HEADER.bytes());
    int payload = packet.payloadBytes;
    if (payload > 0) {
      packet.payload.copyTo(address + body, payload);
    }
    int pad = -payload & 3;
    for (int i = 0; i < pad; i++) {
      buffer.put(body + payload + i, (byte) 0);
    }
    end = body + payload + pad + Icrc.BYTES;
    putBth(packet, pad);
    putNetwork(
        end - bth,
        sourcePort,
        0,
        packet.trafficClass,
        packet.flowLabel,
        packet.hopLimit == 0 ? HOP_LIMIT : packet.hopLimit,
        packet.sourceGidHigh,
        packet.sourceGidLow,
        packet.destinationGidHigh,
        packet.destinationGidLow);
    return end;
  }

  /**
   * Adds the checksums to the packet that was written or {@link #look}ed at.
   *
   * @param identification of IPv4, 16 bits, which the ICRC covers
   */
  void seal(int identification) {
    if (ipv4) {
      Ipv4.IDENTIFICATION.put(buffer, ip, identification);
      Ipv4.CHECKSUM.put(buffer, ip, Ipv4.checksum(buffer, ip));
      icrc.ipv4(buffer, ip, bth);
    } else {
      icrc.ipv6(buffer, ip, bth);
    }
    int body = bth + Bth.HEADER.bytes();
    int covered = end - Icrc.BYTES - body;
    buffer.putInt(end - Icrc.BYTES, icrc.add(buffer, body, covered).wire());
  }

  /** Selects a packet that was written before, to seal it again. */
  void look(int at, int packetEnd, boolean isIpv4) {
    buffer.clear();
    ip = at;
    end = packetEnd;
    ipv4 = isIpv4;
    bth = ip + headerBytes(ipv4);
  }

  /** Lets switches mark the written packet instead of dropping it. Must precede {@link #seal}. */
  void allowMarks() {
    if (ipv4) {
      Ipv4.TOS.put(buffer, ip, Ecn.capable(Ipv4.TOS.getInt(buffer, ip)));
    } else {
      Ipv6.TRAFFIC_CLASS.put(buffer, ip, Ecn.capable(Ipv6.TRAFFIC_CLASS.getInt(buffer, ip)));
    }
  }

  private void putBth(Packet packet, int pad) {
    buffer.putLong(
        bth,
        Bth.OPCODE.word(packet.opcode)
            | Bth.SE.word(packet.solicited ? 1 : 0)
            | Bth.PAD_COUNT.word(pad)
            | Bth.P_KEY.word(packet.partitionKey)
            | Bth.BECN.word(packet.opcode == BthOpcode.CNP ? 1 : 0)
            | Bth.DEST_QP.word(packet.destinationQpn));
    buffer.putInt(
        bth + Long.BYTES,
        high(Bth.ACK_REQ.word(packet.acknowledge ? 1 : 0) | Bth.PSN.word(packet.psn)));
  }

  /** The first half of a word. */
  private static int high(long word) {
    return (int) (word >>> Integer.SIZE);
  }

  /** Writes the headers behind the BTH, and returns where they end. */
  private int putHeaders(Packet packet, int from) {
    int at = from;
    int opcode = packet.opcode;
    if (opcode == BthOpcode.CNP) {
      Cnp.RESERVED_HIGH.put(buffer, at, 0);
      Cnp.RESERVED_LOW.put(buffer, at, 0);
      return at + Cnp.HEADER.bytes();
    }
    int operation = BthOpcode.operation(opcode);
    int service = opcode & ~BthOpcode.OPERATION_MASK;
    if (service == BthOpcode.UD) {
      Deth.Q_KEY.put(buffer, at, packet.qkey);
      buffer.putInt(at + Integer.BYTES, 0);
      Deth.SRC_QP.put(buffer, at, packet.sourceQpn);
      at += Deth.HEADER.bytes();
    } else if (service == BthOpcode.XRC && !BthOpcode.isResponse(opcode)) {
      buffer.putInt(at, 0);
      XrcEth.SRQ.put(buffer, at, packet.srqn);
      at += XrcEth.HEADER.bytes();
    }
    if (BthOpcode.isResponse(opcode)) {
      return putAnswer(packet, operation, at);
    }
    if (operation == BthOpcode.COMPARE_SWAP || operation == BthOpcode.FETCH_ADD) {
      AtomicEth.VA.put(buffer, at, packet.address);
      AtomicEth.R_KEY.put(buffer, at, packet.rkey);
      AtomicEth.SWAP_ADD.put(buffer, at, packet.swapAdd);
      AtomicEth.COMPARE.put(buffer, at, packet.compare);
      return at + AtomicEth.HEADER.bytes();
    }
    if (operation == BthOpcode.READ_REQUEST
        || BthOpcode.isWrite(opcode) && BthOpcode.isFirst(opcode)) {
      buffer.putLong(at, packet.address);
      buffer.putLong(
          at + Long.BYTES, Reth.R_KEY.word(packet.rkey) | Reth.DMA_LENGTH.word(packet.length));
      at += Reth.HEADER.bytes();
    }
    if (BthOpcode.hasImmediate(opcode)) {
      ImmDt.DATA.put(buffer, at, packet.immediate);
      at += ImmDt.HEADER.bytes();
    } else if (BthOpcode.hasInvalidate(opcode)) {
      Ieth.R_KEY.put(buffer, at, packet.immediate);
      at += Ieth.HEADER.bytes();
    }
    return at;
  }

  private int putAnswer(Packet packet, int operation, int from) {
    int at = from;
    if (operation == BthOpcode.READ_RESPONSE_MIDDLE) {
      return at;
    }
    buffer.putInt(at, high(Aeth.SYNDROME.word(packet.syndrome) | Aeth.MSN.word(packet.msn)));
    at += Aeth.HEADER.bytes();
    if (operation == BthOpcode.ATOMIC_ACKNOWLEDGE) {
      AtomicAckEth.ORIGINAL.put(buffer, at, packet.original);
      at += AtomicAckEth.HEADER.bytes();
    }
    return at;
  }

  /** Writes IP and UDP header; an IPv4 header without its checksum. */
  private void putNetwork(
      int transportBytes,
      int sourcePort,
      int identification,
      int trafficClass,
      int flowLabel,
      int hopLimit,
      long sourceHigh,
      long sourceLow,
      long destinationHigh,
      long destinationLow) {
    int udp = bth - UDP_BYTES;
    int udpBytes = UDP_BYTES + transportBytes;
    if (ipv4) {
      buffer.putLong(
          ip,
          Ipv4.VERSION.word(IP_V4)
              | Ipv4.IHL.word(IHL)
              | Ipv4.TOS.word(trafficClass)
              | Ipv4.TOTAL_LENGTH.word(udp + udpBytes - ip)
              | Ipv4.IDENTIFICATION.word(identification)
              | Ipv4.FLAGS.word(DONT_FRAGMENT));
      buffer.putLong(
          ip + Long.BYTES,
          Ipv4.TTL.word(hopLimit) | Ipv4.PROTOCOL.word(Udp.PROTOCOL) | Ipv4.SRC.word(sourceLow));
      buffer.putInt(ip + 2 * Long.BYTES, (int) destinationLow);
    } else {
      buffer.putLong(
          ip,
          Ipv6.VERSION.word(IP_V6)
              | Ipv6.TRAFFIC_CLASS.word(trafficClass)
              | Ipv6.FLOW_LABEL.word(flowLabel)
              | Ipv6.PAYLOAD_LENGTH.word(udpBytes)
              | Ipv6.NEXT_HEADER.word(Udp.PROTOCOL)
              | Ipv6.HOP_LIMIT.word(hopLimit));
      Ipv6.SRC.putHalves(buffer, ip, sourceHigh, sourceLow);
      Ipv6.DST.putHalves(buffer, ip, destinationHigh, destinationLow);
    }
    buffer.putLong(
        udp, Udp.SRC.word(sourcePort) | Udp.DST.word(Udp.ROCE_PORT) | Udp.LENGTH.word(udpBytes));
  }

  // ---- from bytes to packet

  /**
   * Parses a UDP payload in the buffer, behind the place of its IP and UDP headers. A socket does
   * not deliver these, so this writes them as the sender has, over whatever is there.
   *
   * @param at where the UDP payload begins, at least {@link #headerBytes}
   * @param bytes of the UDP payload
   * @param source its sender
   * @param identification of IPv4 that the sender may have chosen
   * @param trafficClass 8 bits, which the ICRC does not cover
   * @param destinationHigh GID that it was sent to, of the same address family
   * @return {@link Problem#NONE}, or why it can't be {@link #decode}d
   */
  Problem wrap(
      int at,
      int bytes,
      Sender source,
      int identification,
      int trafficClass,
      long destinationHigh,
      long destinationLow) {
    buffer.clear();
    ipv4 = NetworkHeader.isIpv4(destinationHigh, destinationLow);
    isWhole = false;
    bth = at;
    ip = at - headerBytes(ipv4);
    putNetwork(
        bytes,
        source.port(),
        identification,
        trafficClass,
        0,
        HOP_LIMIT,
        source.gidHigh(),
        source.gidLow(),
        destinationHigh,
        destinationLow);
    return view.wrapTransport(buffer, ip, bth, bytes);
  }

  /**
   * Parses a UDP payload in the buffer, behind the IP and UDP headers that it came with.
   *
   * @param at where the UDP payload begins, at least {@link #headerBytes}
   * @param bytes of the UDP payload
   * @return {@link Problem#NONE}, or why it can't be {@link #decode}d
   */
  Problem wrapWhole(int at, int bytes, boolean isIpv4) {
    buffer.clear();
    ipv4 = isIpv4;
    isWhole = true;
    bth = at;
    ip = at - headerBytes(ipv4);
    int total = bth + bytes - ip;
    return view.wrap(buffer, ip, total, total, ipv4 ? LinkType.IPV4 : LinkType.IPV6);
  }

  /**
   * The IPv4 identification with which the ICRC is right. The ICRC covers it, a socket does not
   * show it, and other devices choose it freely: so any value that fits is accepted. A packet that
   * came with its IP header has its own.
   *
   * @return 16 bits, 0 over IPv6; −1 when the ICRC is wrong
   */
  int identification() {
    if (view.isIcrcGood()) {
      return ipv4 ? Ipv4.IDENTIFICATION.getInt(buffer, ip) : 0;
    }
    return isWhole ? -1 : view.identification();
  }

  /** True when the payload of the packet that was parsed is longer than the largest path MTU. */
  boolean isTooLong() {
    return view.payloadBytes() > MAX_PAYLOAD;
  }

  /** Decodes the packet that was parsed without a problem; its payload stays in the buffer. */
  void decode(Packet packet, Sender source, long destinationHigh, long destinationLow) {
    packet.opcode = view.opcode();
    packet.solicited = Bth.SE.get(buffer, bth) != 0;
    packet.acknowledge = Bth.ACK_REQ.get(buffer, bth) != 0;
    packet.destinationQpn = view.destinationQpn();
    packet.partitionKey = Bth.P_KEY.getInt(buffer, bth);
    packet.psn = view.psn();
    packet.packets = 1;
    packet.global = true;
    packet.sourceGidHigh = source.gidHigh();
    packet.sourceGidLow = source.gidLow();
    packet.destinationGidHigh = destinationHigh;
    packet.destinationGidLow = destinationLow;
    packet.trafficClass = trafficClass(buffer, ip, ipv4);
    packet.hopLimit = HOP_LIMIT;
    packet.remote = true;
    takeHeaders(packet);
    packet.payload.clear();
    packet.payloadBytes = view.payloadBytes();
    if (packet.payloadBytes > 0) {
      packet.payload.add(address + view.payloadAt(), packet.payloadBytes);
    }
  }

  // Resets the fields that are read for every opcode. All others keep an earlier packet's value,
  // and are read only for opcodes that have their header.
  private void takeHeaders(Packet packet) {
    packet.sourceQpn = 0;
    packet.qkey = 0;
    packet.srqn = 0;
    packet.syndrome = Aeth.ACK;
    packet.msn = 0;
    for (int i = view.firstExtension(); i < view.headers(); i++) {
      takeHeader(packet, view.header(i), view.headerAt(i));
    }
  }

  private void takeHeader(Packet packet, Header header, int at) {
    if (header == Reth.HEADER) {
      packet.address = Reth.VA.get(buffer, at);
      packet.rkey = Reth.R_KEY.getInt(buffer, at);
      packet.length = Reth.DMA_LENGTH.get(buffer, at);
    } else if (header == Aeth.HEADER) {
      packet.syndrome = Aeth.SYNDROME.getInt(buffer, at);
      packet.msn = Aeth.MSN.getInt(buffer, at);
    } else if (header == ImmDt.HEADER) {
      packet.immediate = ImmDt.DATA.getInt(buffer, at);
    } else if (header == Ieth.HEADER) {
      packet.immediate = Ieth.R_KEY.getInt(buffer, at);
    } else if (header == Deth.HEADER) {
      packet.sourceQpn = Deth.SRC_QP.getInt(buffer, at);
      packet.qkey = Deth.Q_KEY.getInt(buffer, at);
    } else if (header == XrcEth.HEADER) {
      packet.srqn = XrcEth.SRQ.getInt(buffer, at);
    } else if (header == AtomicEth.HEADER) {
      packet.address = AtomicEth.VA.get(buffer, at);
      packet.rkey = AtomicEth.R_KEY.getInt(buffer, at);
      packet.swapAdd = AtomicEth.SWAP_ADD.get(buffer, at);
      packet.compare = AtomicEth.COMPARE.get(buffer, at);
      packet.length = AtomicSegment.OPERAND_BYTES;
    } else if (header == AtomicAckEth.HEADER) {
      packet.original = AtomicAckEth.ORIGINAL.get(buffer, at);
    }
  }
}
