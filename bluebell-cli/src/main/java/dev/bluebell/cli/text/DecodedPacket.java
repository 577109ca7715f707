package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.paste.Dump;
import dev.bluebell.cli.wire.IcrcVerdict;
import dev.bluebell.roce.conversation.Conversations;
import dev.bluebell.roce.conversation.Summary;
import dev.bluebell.roce.packet.Packet;
import dev.bluebell.roce.packet.PacketView;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A packet of a dump, decoded to text.
 *
 * @param dump that contains it
 * @param text in the format that {@code bluebell encode} reads
 * @param summary in one line
 * @param icrc the verdict on its ICRC
 * @param notes facts that its fields do not show
 */
record DecodedPacket(Dump dump, String text, String summary, IcrcVerdict icrc, List<String> notes)
    implements Entry {

  static DecodedPacket of(Dump dump, PacketView packet) {
    return new DecodedPacket(
        dump,
        Packet.of(packet).text(),
        Summary.of(packet),
        IcrcVerdict.of(packet),
        new Conversations().add(packet, 1, 0));
  }

  @Override
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    remarks.add(summary);
    if (icrc == IcrcVerdict.GOOD) {
      remarks.add("ICRC good");
    }
    remarks.addAll(notes);
    return remarks;
  }

  @Override
  public ObjectNode json() {
    ObjectNode object =
        Entry.head("PACKET", dump.line(), dump.form())
            .put("bytes", dump.bytes().length)
            .put("hex", HexFormat.of().formatHex(dump.bytes()))
            .put("text", text)
            .put("summary", summary)
            .put("icrc", icrc.word());
    notes.forEach(object.putArray("notes")::add);
    return object;
  }
}
