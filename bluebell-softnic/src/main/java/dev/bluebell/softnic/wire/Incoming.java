package dev.bluebell.softnic.wire;

import java.nio.ByteBuffer;

/**
 * A batch of received packets, as UDP payloads. Datagrams of one sender and one length (the last
 * may be shorter) can be adjacent, as the kernel has gathered them (UDP_GRO). {@link #next} moves
 * from one packet to the next. The bytes before each payload may be overwritten: they are free, or
 * belong to the packet before, which is done. Allocates nothing after its creation. Owned by the
 * thread that runs the engine.
 */
final class Incoming {
  /** Datagrams, or rows of them, that are received at once. */
  static final int ROWS = 16;

  /** The longest UDP payload, and the longest row of them. */
  static final int ROW_BYTES = 1 << 16;

  /** Room for IP and UDP header. */
  private static final int HEADROOM = 64;

  /** Linux takes more of the receive buffer for its own record of a datagram. */
  private static final int ROW_OVERHEAD = 512;

  private static final int STRIDE = HEADROOM + ROW_BYTES;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROWS * STRIDE);
  private final ByteBuffer view = buffer.duplicate();
  private final Sender[] senders = new Sender[ROWS];
  private final int[] bytes = new int[ROWS];
  private final int[] packetBytes = new int[ROWS];
  private final int[] trafficClasses = new int[ROWS];
  private int rows;

  // The next row, and how many of its bytes were taken.
  private int row;
  private int taken;

  // The current packet.
  private Sender sender = new Sender(0, 0, 0);
  private int at;
  private int length;
  private int trafficClass;
  private boolean first;

  /** Where all packets are, in big-endian order. */
  ByteBuffer buffer() {
    return buffer;
  }

  /** Offset in {@link #buffer} of the room for a row. */
  static int rowAt(int index) {
    return index * STRIDE + HEADROOM;
  }

  /** True when there is no room for another row. */
  boolean isFull() {
    return rows == ROWS;
  }

  /** Room for the next row, between position and limit; valid until the next call. */
  ByteBuffer room() {
    int from = rowAt(rows);
    return view.limit(from + ROW_BYTES).position(from);
  }

  /**
   * Records what was received into the next row.
   *
   * @param packet bytes of each of its packets but the last; 0 when it is one packet
   * @param receivedClass traffic class of all its packets, 8 bits; 0 when it is not known
   */
  void add(Sender source, int total, int packet, int receivedClass) {
    senders[rows] = source;
    bytes[rows] = total;
    packetBytes[rows] = packet > 0 ? packet : total;
    trafficClasses[rows] = receivedClass;
    rows++;
  }

  /**
   * Takes the packets that are left in another batch. This batch must be empty.
   *
   * @param from is empty afterwards; its current packet stays valid
   */
  void takeRest(Incoming from) {
    for (; from.row < from.rows; from.row++) {
      int left = from.bytes[from.row] - from.taken;
      ByteBuffer room = room();
      // With the bytes before it, which may be its headers.
      room.put(
          room.position() - HEADROOM,
          from.buffer,
          rowAt(from.row) + from.taken - HEADROOM,
          left + HEADROOM);
      add(from.senders[from.row], left, from.packetBytes[from.row], from.trafficClasses[from.row]);
      from.taken = 0;
    }
    from.row = 0;
    from.rows = 0;
  }

  /** True when no packet is left. */
  boolean isEmpty() {
    return row == rows;
  }

  /** At most as many bytes as these packets took of the receive buffer. */
  long bufferBytes() {
    long all = 0;
    for (int i = 0; i < rows; i++) {
      all += ROW_OVERHEAD + bytes[i];
    }
    return all;
  }

  /** Moves to the next packet; there must be one. The packet before is no longer valid. */
  void next() {
    sender = senders[row];
    trafficClass = trafficClasses[row];
    first = taken == 0;
    at = rowAt(row) + taken;
    length = Math.min(packetBytes[row], bytes[row] - taken);
    taken += length;
    if (taken == bytes[row]) {
      taken = 0;
      row++;
    }
    if (row == rows) {
      row = 0;
      rows = 0;
    }
  }

  /** The sender of the packet. */
  Sender sender() {
    return sender;
  }

  /** Offset of the packet's UDP payload in {@link #buffer}. */
  int at() {
    return at;
  }

  /** Bytes of its UDP payload. */
  int bytes() {
    return length;
  }

  /** Its traffic class, 8 bits; 0 when it is not known. */
  int trafficClass() {
    return trafficClass;
  }

  /** False when the kernel has gathered the packet behind another one. */
  boolean isFirst() {
    return first;
  }
}
