package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** A packet in flight, or a free slot for one; its payload is in the fabric's own memory. */
final class HeldPacket {
  final Packet packet = new Packet();

  /** Address of the memory for the payload. */
  final long room;

  /** The route that it continues on; null while the slot is free. */
  @Nullable Route route;

  /** Time at which it arrives, in nanoseconds of the device's clock. */
  long due;

  /** Sequence number: orders packets that arrive at the same time. */
  long order;

  /** False when later packets may overtake it. */
  boolean inOrder;

  HeldPacket(long room) {
    this.room = room;
  }

  /** True when it is from or to a queue pair. */
  boolean isOf(int qpn) {
    return packet.sourceQpn == qpn || packet.destinationQpn == qpn;
  }

  static int compare(HeldPacket left, HeldPacket right) {
    int byDue = Long.compare(left.due, right.due);
    return byDue != 0 ? byDue : Long.compare(left.order, right.order);
  }
}
