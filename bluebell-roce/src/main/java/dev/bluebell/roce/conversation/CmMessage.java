package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.PacketView;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A message of the connection manager, as far as it says which queue pairs are connected. Source:
 * {@code ib_cm.h} and {@code ibcm.h}: the general services interface, management class 7.
 *
 * @param name of the message
 * @param localId communication id of its sender
 * @param remoteId communication id of its receiver; 0 in a REQ
 * @param qpn the sender's queue pair, of REQ and REP; otherwise 0
 */
record CmMessage(String name, int localId, int remoteId, int qpn) {
  static final String REQ = "ConnectRequest";
  static final String REP = "ConnectReply";

  private static final int GSI_QPN = 1;
  private static final int GSI_Q_KEY = 0x8001_0000;
  private static final int MAD_BYTES = 256;
  private static final int CLASS_AT = 1;
  private static final int CM_CLASS = 7;
  private static final int ATTRIBUTE_AT = 16;
  private static final int BODY_AT = 24;
  private static final int REQ_QPN_AT = 32;
  private static final int REP_QPN_AT = 12;

  /** The message that a good packet carries. */
  static Optional<CmMessage> of(PacketView packet) {
    int deth = packet.at(Deth.HEADER);
    if (deth < 0
        || packet.opcode() != (BthOpcode.UD | BthOpcode.SEND_ONLY)
        || packet.destinationQpn() != GSI_QPN
        || packet.payloadBytes() != MAD_BYTES
        || packet.payloadAt() + MAD_BYTES > packet.limit()
        || Deth.Q_KEY.getInt(packet.buffer(), deth) != GSI_Q_KEY) {
      return Optional.empty();
    }
    ByteBuffer buffer = packet.buffer();
    int mad = packet.payloadAt();
    if (buffer.get(mad + CLASS_AT) != CM_CLASS) {
      return Optional.empty();
    }
    String name = name(buffer.getShort(mad + ATTRIBUTE_AT));
    int body = mad + BODY_AT;
    return Optional.of(
        new CmMessage(
            name,
            buffer.getInt(body),
            name.equals(REQ) ? 0 : buffer.getInt(body + 4),
            switch (name) {
              case REQ -> buffer.getInt(body + REQ_QPN_AT) >>> 8;
              case REP -> buffer.getInt(body + REP_QPN_AT) >>> 8;
              default -> 0;
            }));
  }

  private static String name(int attribute) {
    return switch (attribute) {
      case 0x10 -> REQ;
      case 0x11 -> "MsgRcptAck";
      case 0x12 -> "ConnectReject";
      case 0x13 -> REP;
      case 0x14 -> "ReadyToUse";
      case 0x15 -> "DisconnectRequest";
      case 0x16 -> "DisconnectReply";
      case 0x17 -> "ServiceIDResReq";
      case 0x18 -> "ServiceIDResReqResp";
      case 0x19 -> "LoadAlternatePath";
      case 0x1a -> "AlternatePathResponse";
      default -> "attribute 0x%x".formatted(attribute & 0xffff);
    };
  }
}
