package dev.bluebell.roce.capture;

import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Icrc;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.Ipv6;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts runs of RoCEv2 packets that a capture has as one packet. On the sending side, a capture sees
 * a run before the kernel cuts it (UDP_SEGMENT); on the receiving side, it may see packets after
 * the kernel joined them (UDP_GRO). The packets of a run have one length; the last may be shorter.
 * Owned by one thread.
 */
public final class RunCutter {
  /** Bytes of the longest packet from its BTH on: 4096 bytes of payload, and the most headers. */
  private static final int MOST_BYTES = 4096 + 64;

  private static final int LEAST_BYTES = Bth.HEADER.bytes() + Icrc.BYTES;
  private static final int WORD_BYTES = 4;

  /**
   * Limit of the work for one packet, in multiples of its bytes. Few places of a run look like a
   * BTH, but a hostile packet may have one in every word.
   */
  private static final int MOST_WORK = 8;

  private final PacketView run = new PacketView();
  private final PacketView piece = new PacketView();

  /** A cutter. */
  public RunCutter() {}

  /**
   * Cuts a run into its packets, with the header that each has on the network: the kernel counts up
   * the IPv4 identification. Where the identifications are lost, because packets were joined, those
   * with which the ICRCs are correct are taken.
   *
   * <p>A run is recognized by the ICRC of its first packet, which is correct for one length only.
   *
   * @return the packet alone when it is not a run, or was captured only in part
   */
  public List<CapturedPacket> cut(CapturedPacket packet, LinkType link) {
    int length = length(packet, link);
    if (length == 0) {
      return List.of(packet);
    }
    List<CapturedPacket> pieces = new ArrayList<>();
    int bytes = run.end() - bth();
    for (int at = 0; at < bytes; at += length) {
      ByteBuffer copy = piece(at, Math.min(length, bytes - at), at / length, link);
      pieces.add(
          new CapturedPacket(
              packet.interfaceIndex(),
              packet.nanoseconds(),
              copy,
              copy.limit(),
              at == 0 ? packet.comments() : List.of()));
    }
    return pieces;
  }

  private int bth() {
    return run.at(Bth.HEADER);
  }

  /** Bytes of the first packet of a run, from its BTH on; 0 when the packet is not a run. */
  private int length(CapturedPacket packet, LinkType link) {
    ByteBuffer bytes = packet.bytes();
    if (run.wrap(bytes, 0, bytes.limit(), packet.wireBytes(), link) != Problem.NONE
        || run.at(Udp.HEADER) < 0
        || !run.hasIcrc()
        || run.isIcrcGood()) {
      return 0;
    }
    int most = Math.min(MOST_BYTES, run.end() - bth() - LEAST_BYTES);
    int work = MOST_WORK * run.end();
    for (int length = LEAST_BYTES; length <= most && work > 0; length += WORD_BYTES) {
      if (isFollowedByBth(bth() + length)) {
        work -= bth() + length;
        piece(0, length, 0, link);
        if (piece.problem() == Problem.NONE && piece.isIcrcGood()) {
          return length;
        }
      }
    }
    return 0;
  }

  /** True for bytes that may be the BTH of the next packet: only then is an ICRC computed. */
  private boolean isFollowedByBth(int at) {
    ByteBuffer bytes = run.buffer();
    return BthOpcode.isKnown(Bth.OPCODE.getInt(bytes, at))
        && Bth.TVER.get(bytes, at) == 0
        && Bth.P_KEY.get(bytes, at) == Bth.P_KEY.get(bytes, bth());
  }

  /** A packet of the run; the view shows it. */
  private ByteBuffer piece(int from, int length, int number, LinkType link) {
    int bth = bth();
    int udp = run.at(Udp.HEADER);
    int udpBytes = bth - udp + length;
    ByteBuffer copy = ByteBuffer.allocate(bth + length);
    copy.put(0, run.buffer(), 0, bth).put(bth, run.buffer(), bth + from, length);
    Udp.LENGTH.put(copy, udp, udpBytes);
    int ipv4 = run.at(Ipv4.HEADER);
    if (ipv4 < 0) {
      Ipv6.PAYLOAD_LENGTH.put(copy, run.at(Ipv6.HEADER), udpBytes);
      piece.wrap(copy, 0, copy.limit(), copy.limit(), link);
      return copy;
    }
    Ipv4.TOTAL_LENGTH.put(copy, ipv4, udp - ipv4 + udpBytes);
    Ipv4.IDENTIFICATION.put(copy, ipv4, Ipv4.IDENTIFICATION.getInt(copy, ipv4) + number & 0xffff);
    Problem problem = piece.wrap(copy, 0, copy.limit(), copy.limit(), link);
    int identification = number > 0 && problem == Problem.NONE ? piece.identification() : -1;
    if (identification >= 0) {
      Ipv4.IDENTIFICATION.put(copy, ipv4, identification);
    }
    Ipv4.CHECKSUM.put(copy, ipv4, Ipv4.checksum(copy, ipv4));
    return copy;
  }
}
