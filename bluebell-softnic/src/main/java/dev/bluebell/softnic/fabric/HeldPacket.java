package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** A packet that is on its way, or room for one; its payload lies in the fabric's own memory. */
final class HeldPacket {
  final Packet packet = new Packet();

  /** Address of room for the payload. */
  final long room;

  /** The way that it goes on; null while the room is free. */
  @Nullable Route route;

  /** Time at which it arrives, in nanoseconds of the device's clock. */
  long due;

  /** Tells which of two that arrive at the same time was sent first. */
  long order;

  /** False when later packets may overtake it. */
  boolean inOrder;

  HeldPacket(long room) {
    this.room = room;
  }

  static int compare(HeldPacket left, HeldPacket right) {
    int byDue = Long.compare(left.due, right.due);
    return byDue != 0 ? byDue : Long.compare(left.order, right.order);
  }
}
