package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Field;
import dev.bluebell.roce.packet.Grh;
import dev.bluebell.roce.packet.Header;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.Ipv6;
import dev.bluebell.roce.packet.Lrh;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;

/** Summarizes a packet in one line. */
public final class Summary {
  private static final int CONGESTION_EXPERIENCED = 3;

  private Summary() {}

  /** Returns the line without a line break. */
  public static String of(PacketView packet) {
    if (!packet.hasBth()) {
      return addresses(packet) + "not a RoCE packet: " + packet.problem().sentence();
    }
    StringBuilder text = new StringBuilder(addresses(packet));
    text.append(BthOpcode.text(packet.opcode()))
        .append(" QP 0x%x PSN 0x%06x".formatted(packet.destinationQpn(), packet.psn()));
    int bth = packet.at(Bth.HEADER);
    flag(text, packet, Bth.SE, bth, " solicited");
    flag(text, packet, Bth.ACK_REQ, bth, " ack_req");
    flag(text, packet, Bth.FECN, bth, " FECN");
    flag(text, packet, Bth.BECN, bth, " BECN");
    boolean behindBth = false;
    for (int i = 0; i < packet.headers(); i++) {
      if (behindBth) {
        fields(text, packet, packet.header(i), packet.headerAt(i));
      }
      behindBth |= packet.header(i) == Bth.HEADER;
    }
    if (packet.problem() != Problem.NONE) {
      return text.append(", refused: ").append(packet.problem().sentence()).toString();
    }
    if (packet.payloadBytes() > 0) {
      text.append(" payload=").append(packet.payloadBytes());
    }
    CmMessage.of(packet).ifPresent(message -> text.append(" CM ").append(message.name()));
    if (isCongested(packet)) {
      text.append(" CE");
    }
    return text.toString();
  }

  /** True when a switch marked the packet as having experienced congestion (ECN CE). */
  static boolean isCongested(PacketView packet) {
    int ipv4 = packet.at(Ipv4.HEADER);
    int ipv6 = packet.at(Ipv6.HEADER);
    int trafficClass =
        ipv4 >= 0
            ? Ipv4.TOS.getInt(packet.buffer(), ipv4)
            : ipv6 >= 0 ? Ipv6.TRAFFIC_CLASS.getInt(packet.buffer(), ipv6) : 0;
    return (trafficClass & CONGESTION_EXPERIENCED) == CONGESTION_EXPERIENCED;
  }

  private static void flag(
      StringBuilder text, PacketView packet, Field field, int at, String words) {
    if (field.get(packet.buffer(), at) != 0) {
      text.append(words);
    }
  }

  private static void fields(StringBuilder text, PacketView packet, Header header, int at) {
    for (Field field : header.fields()) {
      if (!field.name().startsWith("resv")) {
        text.append(' ').append(field.name()).append('=').append(field.text(packet.buffer(), at));
      }
    }
  }

  private static String addresses(PacketView packet) {
    String source = address(packet, true);
    return source.isEmpty() ? "" : source + " > " + address(packet, false) + " ";
  }

  /** The IP address, GID or LID of an end; empty when the packet has none. */
  static String address(PacketView packet, boolean source) {
    for (int i = packet.headers() - 1; i >= 0; i--) {
      Header header = packet.header(i);
      int at = packet.headerAt(i);
      if (header == Ipv4.HEADER) {
        return (source ? Ipv4.SRC : Ipv4.DST).text(packet.buffer(), at);
      }
      if (header == Ipv6.HEADER) {
        return (source ? Ipv6.SRC : Ipv6.DST).text(packet.buffer(), at);
      }
      if (header == Grh.HEADER) {
        return (source ? Grh.SGID : Grh.DGID).text(packet.buffer(), at);
      }
      if (header == Lrh.HEADER) {
        return "LID " + (source ? Lrh.SLID : Lrh.DLID).text(packet.buffer(), at);
      }
    }
    return "";
  }
}
