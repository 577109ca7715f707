package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.PacketView;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The part of a connection manager message that identifies the connected queue pairs.
 *
 * @param name of the message
 * @param localId communication id of its sender
 * @param remoteId communication id of its receiver; 0 in a REQ
 * @param qpn the sender's queue pair, of REQ and REP; otherwise 0
 * @param psn its starting PSN, of REQ and REP; otherwise 0
 */
record CmMessage(String name, int localId, int remoteId, int qpn, int psn) {
  static final String REQ = Message.REQ.title();
  static final String REP = Message.REP.title();

  /** The message in a valid packet. */
  static Optional<CmMessage> of(PacketView packet) {
    int deth = packet.at(Deth.HEADER);
    int mad = packet.payloadAt();
    ByteBuffer buffer = packet.buffer();
    if (deth < 0
        || packet.opcode() != (BthOpcode.UD | BthOpcode.SEND_ONLY)
        || packet.destinationQpn() != CmMad.QPN
        || packet.payloadBytes() != CmMad.BYTES
        || mad + CmMad.BYTES > packet.limit()
        || Deth.Q_KEY.getInt(buffer, deth) != CmMad.QUEUE_KEY
        || !CmMad.isSend(buffer, mad)) {
      return Optional.empty();
    }
    String name = name(buffer, mad);
    int body = mad + CmMad.BODY;
    int localId = CmMad.Ids.LOCAL.getInt(buffer, body);
    if (name.equals(REQ)) {
      int psn = CmMad.Req.STARTING_PSN.getInt(buffer, body);
      return Optional.of(new CmMessage(name, localId, 0, CmMad.Req.QPN.getInt(buffer, body), psn));
    }
    int remoteId = CmMad.Ids.REMOTE.getInt(buffer, body);
    if (name.equals(REP)) {
      int psn = CmMad.Rep.STARTING_PSN.getInt(buffer, body);
      return Optional.of(
          new CmMessage(name, localId, remoteId, CmMad.Rep.QPN.getInt(buffer, body), psn));
    }
    return Optional.of(new CmMessage(name, localId, remoteId, 0, 0));
  }

  private static String name(ByteBuffer buffer, int mad) {
    return CmMad.message(buffer, mad)
        .map(Message::title)
        .orElseGet(() -> other(CmMad.ATTRIBUTE.getInt(buffer, mad)));
  }

  // Path migration, which RoCE does not have.
  private static String other(int attribute) {
    return switch (attribute) {
      case 0x19 -> "LoadAlternatePath";
      case 0x1a -> "AlternatePathResponse";
      default -> "attribute 0x%x".formatted(attribute);
    };
  }
}
