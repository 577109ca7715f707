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
 */
record CmMessage(String name, int localId, int remoteId, int qpn) {
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
    return Optional.of(
        new CmMessage(
            name,
            CmMad.Ids.LOCAL.getInt(buffer, body),
            name.equals(REQ) ? 0 : CmMad.Ids.REMOTE.getInt(buffer, body),
            name.equals(REQ)
                ? CmMad.Req.QPN.getInt(buffer, body)
                : name.equals(REP) ? CmMad.Rep.QPN.getInt(buffer, body) : 0));
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
