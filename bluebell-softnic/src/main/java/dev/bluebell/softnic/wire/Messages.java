package dev.bluebell.softnic.wire;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.bluebell.softnic.port.Gids;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The array of {@code struct mmsghdr} that sendmmsg and recvmmsg take, with the data it points to:
 * for each message a socket address and control messages, and a common pool of payload pieces.
 * 64-bit Linux. Allocates nothing after its creation.
 */
final class Messages {
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  static final int SOL_UDP = 17;
  static final int UDP_SEGMENT = 103;
  static final int UDP_GRO = 104;

  static final int IPPROTO_IP = 0;
  static final int IP_TOS = 1;
  static final int IPPROTO_IPV6 = 41;
  static final int IPV6_TCLASS = 67;

  // struct mmsghdr
  private static final int MESSAGE_BYTES = 64;
  private static final int NAME_AT = 0;
  private static final int NAME_BYTES_AT = 8;
  private static final int PIECES_AT = 16;
  private static final int PIECE_COUNT_AT = 24;
  private static final int CONTROL_AT = 32;
  private static final int CONTROL_BYTES_AT = 40;
  private static final int BYTES_AT = 56;

  // struct iovec
  private static final int PIECE_BYTES = 16;
  private static final int PIECE_LENGTH_AT = 8;

  // struct sockaddr_in and sockaddr_in6
  private static final int NAME_ROOM = 32;
  private static final int IPV4_NAME_BYTES = 16;
  private static final int IPV6_NAME_BYTES = 28;
  private static final int PORT_AT = 2;
  private static final int IPV4_AT = 4;
  private static final int IPV6_AT = 8;

  // struct cmsghdr: two with at most 4 bytes of data each
  private static final int CONTROL_BYTES = 24;
  private static final int CONTROL_ROOM = 2 * CONTROL_BYTES;
  private static final int LEVEL_AT = 8;
  private static final int TYPE_AT = 12;
  private static final int DATA_AT = 16;

  private static final ValueLayout.OfShort NET_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt NET_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final boolean ipv4;
  private final MemorySegment messages;
  private final MemorySegment pieces;
  private final MemorySegment names;
  private final MemorySegment controls;

  /**
   * @param arena lives as long as this
   * @param count of messages, and of pieces
   * @param ipv4 the family of all addresses
   */
  Messages(Arena arena, int count, boolean ipv4) {
    this.ipv4 = ipv4;
    messages = arena.allocate((long) count * MESSAGE_BYTES, Long.BYTES);
    pieces = arena.allocate((long) count * PIECE_BYTES, Long.BYTES);
    names = arena.allocate((long) count * NAME_ROOM, Long.BYTES);
    controls = arena.allocate((long) count * CONTROL_ROOM, Long.BYTES);
    for (int i = 0; i < count; i++) {
      messages.set(ADDRESS, messageAt(i) + NAME_AT, names.asSlice(nameAt(i)));
      messages.set(ADDRESS, messageAt(i) + CONTROL_AT, controls.asSlice(controlAt(i)));
      reset(i);
    }
  }

  private static long messageAt(int message) {
    return (long) message * MESSAGE_BYTES;
  }

  private static long nameAt(int message) {
    return (long) message * NAME_ROOM;
  }

  private static long controlAt(int message) {
    return (long) message * CONTROL_ROOM;
  }

  /** Bytes of a socket address. */
  static int nameBytes(boolean ipv4) {
    return ipv4 ? IPV4_NAME_BYTES : IPV6_NAME_BYTES;
  }

  /** Writes the family and the port of a socket address; the IP address is left unchanged. */
  static void putName(MemorySegment name, long at, boolean ipv4, int port) {
    name.set(JAVA_SHORT, at, (short) (ipv4 ? AF_INET : AF_INET6));
    name.set(NET_SHORT, at + PORT_AT, (short) port);
  }

  /** Where the address lies in a socket address. */
  static int addressAt(boolean ipv4) {
    return ipv4 ? IPV4_AT : IPV6_AT;
  }

  /** The array. */
  MemorySegment all() {
    return messages;
  }

  /** Gives a message its room for an address and for control messages, before it is received. */
  void reset(int message) {
    messages.set(JAVA_INT, messageAt(message) + NAME_BYTES_AT, nameBytes(ipv4));
    messages.set(JAVA_LONG, messageAt(message) + CONTROL_BYTES_AT, CONTROL_ROOM);
  }

  /**
   * Writes a piece: bytes at an address outside the heap, which must stay valid during the calls.
   */
  void piece(int piece, long address, int bytes) {
    long at = (long) piece * PIECE_BYTES;
    pieces.set(JAVA_LONG, at, address);
    pieces.set(JAVA_LONG, at + PIECE_LENGTH_AT, bytes);
  }

  /** Gives a message its pieces, which follow one another. */
  void pieces(int message, int first, int count) {
    long at = messageAt(message);
    messages.set(JAVA_LONG, at + PIECES_AT, pieces.address() + (long) first * PIECE_BYTES);
    messages.set(JAVA_LONG, at + PIECE_COUNT_AT, count);
  }

  // ---- sending

  /** Sets the destination of a message from the IP header in a buffer. */
  void address(int message, ByteBuffer header, int destinationAt, int port) {
    long name = nameAt(message);
    putName(names, name, ipv4, port);
    if (ipv4) {
      names.set(NET_INT, name + IPV4_AT, header.getInt(destinationAt));
    } else {
      names.set(NET_LONG, name + IPV6_AT, header.getLong(destinationAt));
      names.set(NET_LONG, name + IPV6_AT + Long.BYTES, header.getLong(destinationAt + Long.BYTES));
    }
  }

  /**
   * Sets how the kernel sends a message.
   *
   * @param datagramBytes of each datagram but the last; 0 to send the message as one datagram
   * @param trafficClass of the datagrams, 8 bits
   */
  void prepare(int message, int datagramBytes, int trafficClass) {
    long from = controlAt(message);
    long at = from;
    if (datagramBytes > 0) {
      putControl(at, SOL_UDP, UDP_SEGMENT, Short.BYTES);
      controls.set(JAVA_SHORT, at + DATA_AT, (short) datagramBytes);
      at += CONTROL_BYTES;
    }
    // The socket itself has this traffic class.
    if (trafficClass != Ecn.CAPABLE) {
      putControl(at, ipv4 ? IPPROTO_IP : IPPROTO_IPV6, ipv4 ? IP_TOS : IPV6_TCLASS, Integer.BYTES);
      controls.set(JAVA_INT, at + DATA_AT, trafficClass);
      at += CONTROL_BYTES;
    }
    messages.set(JAVA_LONG, messageAt(message) + CONTROL_BYTES_AT, at - from);
  }

  private void putControl(long at, int level, int type, int bytes) {
    controls.set(JAVA_LONG, at, DATA_AT + bytes);
    controls.set(JAVA_INT, at + LEVEL_AT, level);
    controls.set(JAVA_INT, at + TYPE_AT, type);
  }

  // ---- receiving

  /** Bytes of a message, at most those of its pieces. */
  int bytes(int message) {
    return messages.get(JAVA_INT, messageAt(message) + BYTES_AT);
  }

  /** Bytes of each datagram of a message but the last; 0 when it is one datagram. */
  int datagramBytes(int message) {
    long control = control(message, SOL_UDP, UDP_GRO);
    return control < 0 ? 0 : controls.get(JAVA_INT, control + DATA_AT);
  }

  /** The traffic class of all datagrams of a message, 8 bits; 0 when the kernel does not say. */
  int trafficClass(int message) {
    long control =
        ipv4 ? control(message, IPPROTO_IP, IP_TOS) : control(message, IPPROTO_IPV6, IPV6_TCLASS);
    if (control < 0) {
      return 0;
    }
    return ipv4
        ? Byte.toUnsignedInt(controls.get(JAVA_BYTE, control + DATA_AT))
        : controls.get(JAVA_INT, control + DATA_AT) & 0xff;
  }

  /** Offset of a control message that came with a message; −1 when there is none of this kind. */
  private long control(int message, int level, int type) {
    long at = controlAt(message);
    long end = at + messages.get(JAVA_LONG, messageAt(message) + CONTROL_BYTES_AT);
    for (; at + DATA_AT < end; at += CONTROL_BYTES) {
      if (controls.get(JAVA_INT, at + LEVEL_AT) == level
          && controls.get(JAVA_INT, at + TYPE_AT) == type) {
        return at;
      }
    }
    return -1;
  }

  /** High half of the GID of a message's sender. */
  long gidHigh(int message) {
    return ipv4 ? 0 : names.get(NET_LONG, nameAt(message) + IPV6_AT);
  }

  /** Low half of the GID of a message's sender. */
  long gidLow(int message) {
    return ipv4
        ? Gids.IPV4_LOW | Integer.toUnsignedLong(names.get(NET_INT, nameAt(message) + IPV4_AT))
        : names.get(NET_LONG, nameAt(message) + IPV6_AT + Long.BYTES);
  }

  /** UDP port of a message's sender. */
  int port(int message) {
    return Short.toUnsignedInt(names.get(NET_SHORT, nameAt(message) + PORT_AT));
  }
}
