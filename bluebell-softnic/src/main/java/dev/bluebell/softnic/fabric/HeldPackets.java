package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.softnic.packet.Packet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The packets in flight, ordered by arrival time. They are copies, in memory that grows to the
 * largest number ever held. Owned by the thread that runs the engine.
 *
 * <p>Invariant: no payload is longer than its room, which is checked where it is copied.
 */
final class HeldPackets {
  static final int CAPACITY = 1024;

  private static final int ROOM_BYTES = PathMtu.bytes(PathMtu.LARGEST);
  private static final int ALIGNMENT = 64;

  /** Rooms that are allocated together. */
  private static final int BLOCK = 16;

  // Keeps the memory of all rooms.
  private final List<MemorySegment> blocks = new ArrayList<>();
  private final HeldPacket[] free = new HeldPacket[CAPACITY];
  private final PriorityQueue<HeldPacket> held = new PriorityQueue<>(CAPACITY, HeldPacket::compare);
  private int freeCount;
  private int taken;
  private int inOrder;
  private long count;

  boolean hasRoom(int packets) {
    return CAPACITY - taken >= packets;
  }

  private HeldPacket room() {
    if (freeCount == 0) {
      MemorySegment block = Arena.ofAuto().allocate((long) BLOCK * ROOM_BYTES, ALIGNMENT);
      blocks.add(block);
      for (int i = 0; i < BLOCK; i++) {
        free[i] = new HeldPacket(block.address() + (long) i * ROOM_BYTES);
      }
      freeCount = BLOCK;
    }
    taken++;
    return free[--freeCount];
  }

  /** True while a packet is held that no later one may overtake. */
  boolean keepsOrder() {
    return inOrder > 0;
  }

  /** Time at which the next packet arrives; {@link Long#MAX_VALUE} when there is none. */
  long nextDue() {
    HeldPacket next = held.peek();
    return next == null ? Long.MAX_VALUE : next.due;
  }

  /**
   * Holds a copy of a packet; there must be room.
   *
   * @param due time at which it arrives
   * @param keepsOrder false when later packets may overtake it
   */
  void hold(Packet packet, Route route, long due, boolean keepsOrder) {
    int bytes = packet.payloadBytes;
    if (bytes > ROOM_BYTES) {
      throw new IllegalArgumentException(
          "a packet carries %d bytes, but a path MTU is at most %d".formatted(bytes, ROOM_BYTES));
    }
    HeldPacket copy = room();
    copy.packet.copyHeaders(packet);
    copy.packet.payloadBytes = bytes;
    copy.packet.payload.clear();
    if (bytes > 0) {
      packet.payload.copyTo(copy.room, bytes);
      copy.packet.payload.add(copy.room, bytes);
    }
    copy.route = route;
    copy.due = due;
    copy.order = count++;
    copy.inOrder = keepsOrder;
    inOrder += keepsOrder ? 1 : 0;
    held.add(copy);
  }

  /** True when a held packet from or to a queue pair is due at a time or before. */
  boolean holds(int qpn, long due) {
    for (HeldPacket packet : held) {
      if (packet.due <= due && packet.isOf(qpn)) {
        return true;
      }
    }
    return false;
  }

  /** Removes the next packet; there must be one. It keeps its room until {@link #release}. */
  HeldPacket take() {
    return held.remove();
  }

  /** Puts back a removed packet that could not continue. */
  void putBack(HeldPacket packet) {
    held.add(packet);
  }

  /** Frees the room of a removed packet. */
  void release(HeldPacket packet) {
    inOrder -= packet.inOrder ? 1 : 0;
    packet.route = null;
    packet.packet.explanation = "";
    packet.packet.explanationToStrangers = "";
    taken--;
    free[freeCount++] = packet;
  }
}
