package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.Ethernet;
import dev.bluebell.roce.packet.Ipv6;
import java.nio.ByteBuffer;

/** Neighbour discovery of IPv6. Source: RFC 4861, and RFC 4443 for the checksum. */
final class NeighbourDiscovery implements Resolution {
  private static final int ICMPV6 = 58;
  private static final int SOLICITATION = 135;
  private static final int ADVERTISEMENT = 136;

  /** Routers lower it, so a packet with this value comes from this Ethernet. */
  private static final int HOP_LIMIT = 255;

  private static final int IP_VERSION = 6;

  // Offsets in the message behind the IPv6 header, and of an option.
  private static final int CODE = 1;
  private static final int CHECKSUM = 2;
  private static final int FLAGS = 4;
  private static final int TARGET = 8;
  private static final int OPTIONS = 24;
  private static final int OPTION_LENGTH = 1;
  private static final int OPTION_MAC = 2;
  private static final int OPTION_UNIT = 8;

  private static final int SOURCE_MAC = 1;
  private static final int TARGET_MAC = 2;

  private static final int SOLICITED = 0x4000_0000;
  private static final int OVERRIDE = 0x2000_0000;

  // The all-nodes group, the solicited-node groups, and the Ethernet addresses of groups.
  private static final long GROUP_HIGH = 0xff02L << 48;
  private static final long ALL_HOSTS_LOW = 1;
  private static final long ASKED_LOW = 0x0000_0001_ff00_0000L;
  private static final long ASKED_BITS = 0xff_ffffL;
  private static final long GROUP_MAC = 0x3333_0000_0000L;

  private final long ownMac;
  private final long ownHigh;
  private final long ownLow;

  private long senderHigh;
  private long senderLow;
  private long senderMac;

  NeighbourDiscovery(long mac, Gid own) {
    ownMac = mac;
    ownHigh = own.high();
    ownLow = own.low();
  }

  @Override
  public Kind read(ByteBuffer frame, int at, int bytes) {
    int ip = at + Ethernet.HEADER.bytes();
    int message = ip + Ipv6.HEADER.bytes();
    if (Ethernet.TYPE.getInt(frame, at) != Ethernet.IPV6
        || at + bytes <= message
        || Ipv6.NEXT_HEADER.getInt(frame, ip) != ICMPV6) {
      return Kind.OTHER;
    }
    int type = frame.get(message) & 0xff;
    if (type != SOLICITATION && type != ADVERTISEMENT) {
      return Kind.OTHER;
    }
    int length = Ipv6.PAYLOAD_LENGTH.getInt(frame, ip);
    if (length > at + bytes - message
        || length < OPTIONS
        || Ipv6.VERSION.getInt(frame, ip) != IP_VERSION
        || Ipv6.HOP_LIMIT.getInt(frame, ip) != HOP_LIMIT
        || frame.get(message + CODE) != 0
        || checksum(frame, ip, length) != 0) {
      return Kind.MALFORMED;
    }
    return type == SOLICITATION
        ? solicitation(frame, at, length)
        : advertisement(frame, message, length);
  }

  private Kind solicitation(ByteBuffer frame, int at, int length) {
    int ip = at + Ethernet.HEADER.bytes();
    int message = ip + Ipv6.HEADER.bytes();
    senderHigh = Ipv6.SRC.half(frame, ip, false);
    senderLow = Ipv6.SRC.half(frame, ip, true);
    // Without the option, the answer goes to the source address of the frame.
    senderMac = option(frame, message, length, SOURCE_MAC, Ethernet.SRC.get(frame, at));
    if (!isGood()) {
      return Kind.MALFORMED;
    }
    return frame.getLong(message + TARGET) == ownHigh
            && frame.getLong(message + TARGET + Long.BYTES) == ownLow
        ? Kind.QUESTION
        : Kind.OTHER;
  }

  private Kind advertisement(ByteBuffer frame, int message, int length) {
    senderHigh = frame.getLong(message + TARGET);
    senderLow = frame.getLong(message + TARGET + Long.BYTES);
    senderMac = option(frame, message, length, TARGET_MAC, 0);
    return isGood() ? Kind.STATEMENT : Kind.MALFORMED;
  }

  private boolean isGood() {
    return Mac.isHost(senderMac) && (senderHigh != ownHigh || senderLow != ownLow);
  }

  /**
   * The Ethernet address in an option.
   *
   * @param absent the result when there is no such option
   * @return 0 when the options are malformed
   */
  private static long option(ByteBuffer frame, int message, int length, int wanted, long absent) {
    long found = absent;
    int at = message + OPTIONS;
    int end = message + length;
    while (at < end) {
      int bytes = end - at < OPTION_UNIT ? 0 : (frame.get(at + OPTION_LENGTH) & 0xff) * OPTION_UNIT;
      if (bytes == 0 || bytes > end - at) {
        return 0;
      }
      if (frame.get(at) == wanted) {
        found = Mac.get(frame, at + OPTION_MAC);
      }
      at += bytes;
    }
    return found;
  }

  @Override
  public long senderHigh() {
    return senderHigh;
  }

  @Override
  public long senderLow() {
    return senderLow;
  }

  @Override
  public long senderMac() {
    return senderMac;
  }

  @Override
  public int answer(ByteBuffer frame) {
    // A host without an address asks whether another one has it. The answer goes to all hosts.
    boolean hasAddress = (senderHigh | senderLow) != 0;
    addresses(
        frame,
        hasAddress ? senderMac : GROUP_MAC | ALL_HOSTS_LOW,
        hasAddress ? senderHigh : GROUP_HIGH,
        hasAddress ? senderLow : ALL_HOSTS_LOW);
    return message(
        frame,
        ADVERTISEMENT,
        hasAddress ? SOLICITED | OVERRIDE : OVERRIDE,
        ownHigh,
        ownLow,
        TARGET_MAC);
  }

  @Override
  public int question(ByteBuffer frame, long gidHigh, long gidLow) {
    long group = ASKED_LOW | gidLow & ASKED_BITS;
    addresses(frame, GROUP_MAC | group & 0xffff_ffffL, GROUP_HIGH, group);
    return message(frame, SOLICITATION, 0, gidHigh, gidLow, SOURCE_MAC);
  }

  private void addresses(ByteBuffer frame, long mac, long high, long low) {
    Mac.header(frame, mac, ownMac, Ethernet.IPV6);
    int ip = Ethernet.HEADER.bytes();
    frame.putLong(ip, 0);
    Ipv6.VERSION.put(frame, ip, IP_VERSION);
    Ipv6.PAYLOAD_LENGTH.put(frame, ip, OPTIONS + OPTION_UNIT);
    Ipv6.NEXT_HEADER.put(frame, ip, ICMPV6);
    Ipv6.HOP_LIMIT.put(frame, ip, HOP_LIMIT);
    Ipv6.SRC.putHalves(frame, ip, ownHigh, ownLow);
    Ipv6.DST.putHalves(frame, ip, high, low);
  }

  /** Writes the message with one option, which has this host's Ethernet address. */
  private int message(
      ByteBuffer frame, int type, int flags, long targetHigh, long targetLow, int option) {
    int ip = Ethernet.HEADER.bytes();
    int at = ip + Ipv6.HEADER.bytes();
    frame.putInt(at, type << 24);
    frame.putInt(at + FLAGS, flags);
    frame.putLong(at + TARGET, targetHigh);
    frame.putLong(at + TARGET + Long.BYTES, targetLow);
    frame.put(at + OPTIONS, (byte) option);
    frame.put(at + OPTIONS + OPTION_LENGTH, (byte) 1);
    Mac.put(frame, at + OPTIONS + OPTION_MAC, ownMac);
    frame.putShort(at + CHECKSUM, (short) checksum(frame, ip, OPTIONS + OPTION_UNIT));
    return at + OPTIONS + OPTION_UNIT;
  }

  /**
   * The checksum of a message whose checksum field is 0. If the field holds the right checksum, the
   * result is 0.
   *
   * @param length of the message
   */
  private static int checksum(ByteBuffer frame, int ip, int length) {
    // The sum includes the two IP addresses just before the message, its length and the next
    // header.
    int from = ip + Ipv6.HEADER.bytes() - 2 * 2 * Long.BYTES;
    int end = ip + Ipv6.HEADER.bytes() + length;
    long sum = (long) length + ICMPV6;
    for (int at = from; at + 1 < end; at += Short.BYTES) {
      sum += frame.getShort(at) & 0xffff;
    }
    if ((length & 1) != 0) {
      sum += (frame.get(end - 1) & 0xff) << Byte.SIZE;
    }
    while (sum >>> Short.SIZE != 0) {
      sum = (sum & 0xffff) + (sum >>> Short.SIZE);
    }
    return (int) ~sum & 0xffff;
  }
}
