package dev.bluebell.softnic.fabric;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;

/**
 * A path from one end to another over a link layer, as an address path or an address vector names
 * it: it addresses outgoing packets, and recognizes incoming ones. Immutable.
 */
public interface Path {

  /** Writes the addresses of both ends into the header of a packet. */
  void address(Packet packet);

  /** True when an address vector in the device's own memory names this path. */
  boolean isOf(long addressVector);

  /** True when a packet came from the far end by this path. */
  boolean isFrom(Packet packet);

  /** True when this path leads back to the sender of a request that reached the near end. */
  boolean answers(Packet request);

  /**
   * True when packets by another path come from the far end of this one, so that {@link #isFrom}
   * holds for them.
   */
  boolean isFrom(Path other);

  /**
   * Says why {@link #isFrom} does not hold for a packet.
   *
   * @param self name of the end that the path begins at
   */
  String whyNotFrom(Packet packet, String self);

  /** The word for a packet in a reason why it was dropped. */
  static String word(Packet packet) {
    return BthOpcode.isResponse(packet.opcode) ? "answer" : "request";
  }

  /** True when the port of this device takes the packets that leave by this path. */
  boolean leadsHere();

  /** True when the network around this device takes the packets that leave by this path. */
  default boolean leadsOut() {
    return false;
  }

  /**
   * Address of the far end in the network around this device, in its usual notation; empty for a
   * path that does not lead there.
   */
  default String farAddress() {
    return "";
  }

  /** Says why neither {@link #leadsHere} nor {@link #leadsOut} holds. */
  String whyNowhere();

  /**
   * The flags_rqpn (without the queue pair number), slid and ml_path of the completion of a message
   * from the far end, packed as {@link dev.bluebell.softnic.packet.Origin}.
   */
  long origin();
}
