package dev.bluebell.softnic.packet;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;

/**
 * The 40 bytes in front of a datagram in its receive buffer: its IPv6 header, its global route
 * header (RoCE v1), or 20 undefined bytes and its IPv4 header. Mirrors RFC 8200 and RFC 791, and
 * the layout that software expects: {@code ib_pack.h} and {@code ib_verbs.h: rdma_network_hdr}.
 */
public final class NetworkHeader {
  public static final int BYTES = 40;

  /** Content of the undefined bytes: neither zeros nor an IP header of any version. */
  private static final long UNDEFINED = 0xa5a5_a5a5_a5a5_a5a5L;

  /** The same with the version of IPv6, to catch software that checks the version only. */
  private static final long MISLEADING = 0x6565_6565_6565_6565L;

  private static final int IPV4_OFFSET = 20;
  private static final int IPV4_BYTES = 20;
  private static final int UDP_PROTOCOL = 17;

  private static final int UDP_BYTES = 8;

  /** UDP header, BTH, DETH and ICRC. */
  private static final int TRANSPORT_BYTES = UDP_BYTES + 12 + 8 + 4;

  /** Next header of a global route header, {@code ib_pack.h}. */
  private static final int INFINIBAND_PROTOCOL = 0x1b;

  private static final int IMMEDIATE_BYTES = 4;
  private static final long DONT_FRAGMENT = 0x4000;

  /** Bits 32–47 of the low half of a GID that stands for an IPv4 address. */
  private static final long IPV4_MAPPED = 0xffff;

  private NetworkHeader() {}

  /** True for a GID that stands for an IPv4 address. */
  public static boolean isIpv4(long gidHigh, long gidLow) {
    return gidHigh == 0 && gidLow >>> 32 == IPV4_MAPPED;
  }

  /** True when the IP header of a datagram can hold the addresses of both ends. */
  public static boolean holds(Packet datagram) {
    return datagram.v1
        || isIpv4(datagram.sourceGidHigh, datagram.sourceGidLow)
            == isIpv4(datagram.destinationGidHigh, datagram.destinationGidLow);
  }

  /**
   * Writes the header of a datagram.
   *
   * @param at address of 40 bytes of the device's own
   * @param strict true to let the undefined bytes look like the beginning of another header
   * @return {@link Cqe#L3_IPV4}, {@link Cqe#L3_IPV6} or {@link Cqe#L3_GLOBAL_ROUTE}
   */
  public static int write(long at, Packet datagram, boolean strict) {
    int padded = datagram.payloadBytes + 3 & ~3;
    int bytes =
        TRANSPORT_BYTES + padded + (BthOpcode.hasImmediate(datagram.opcode) ? IMMEDIATE_BYTES : 0);
    if (!datagram.v1 && isIpv4(datagram.destinationGidHigh, datagram.destinationGidLow)) {
      writeIpv4(at, datagram, bytes, strict ? MISLEADING : UNDEFINED);
      return Cqe.L3_IPV4;
    }
    int first = 6 << 28 | datagram.trafficClass << 20 | datagram.flowLabel;
    int second =
        datagram.v1
            ? bytes - UDP_BYTES << 16 | INFINIBAND_PROTOCOL << 8 | datagram.hopLimit
            : bytes << 16 | UDP_PROTOCOL << 8 | datagram.hopLimit;
    Memory.putLong(at, (long) first << 32 | second & 0xffffffffL);
    Memory.putLong(at + 8, datagram.sourceGidHigh);
    Memory.putLong(at + 16, datagram.sourceGidLow);
    Memory.putLong(at + 24, datagram.destinationGidHigh);
    Memory.putLong(at + 32, datagram.destinationGidLow);
    return datagram.v1 ? Cqe.L3_GLOBAL_ROUTE : Cqe.L3_IPV6;
  }

  private static void writeIpv4(long at, Packet datagram, int bytes, long undefined) {
    long first = 0x45_00_0000L | (long) datagram.trafficClass << 16 | IPV4_BYTES + bytes;
    long second = DONT_FRAGMENT;
    long third = (long) datagram.hopLimit << 24 | UDP_PROTOCOL << 16;
    long source = datagram.sourceGidLow & 0xffffffffL;
    long destination = datagram.destinationGidLow & 0xffffffffL;
    long checksum = checksum(first, second, third, source, destination);
    Memory.putLong(at, undefined);
    Memory.putLong(at + 8, undefined);
    Memory.putInt(at + 16, (int) undefined);
    Memory.putInt(at + IPV4_OFFSET, (int) first);
    Memory.putInt(at + IPV4_OFFSET + 4, (int) second);
    Memory.putInt(at + IPV4_OFFSET + 8, (int) (third | checksum));
    Memory.putInt(at + IPV4_OFFSET + 12, (int) source);
    Memory.putInt(at + IPV4_OFFSET + 16, (int) destination);
  }

  private static long checksum(long a, long b, long c, long d, long e) {
    long sum = a + b + c + d + e;
    // A 32-bit word stands for two 16-bit ones, because 2^16 is 1 in this arithmetic.
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return ~sum & 0xffff;
  }
}
