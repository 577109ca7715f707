package dev.bluebell.roce.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The invariant CRC: the CRC-32 of Ethernet over the packet from its network header to its padding,
 * with ones in place of fields that routers and receivers may change. Source: the InfiniBand
 * specification and its RoCEv2 annex. On the wire the least significant byte is first.
 *
 * <p>Start with the headers, then add the rest in any number of pieces. Allocates nothing after its
 * creation. Owned by one thread.
 */
public final class Icrc {
  /** Bytes on the wire. */
  public static final int BYTES = 4;

  /** Offset of the end of the identification in an IPv4 header. */
  static final int IDENTIFICATION_END = 6;

  private static final int POLYNOMIAL = 0xedb8_8320;

  // One step of the CRC's register for a byte of 0, and the byte that leads to a high one.
  private static final int[] TABLE = new int[0x100];
  private static final byte[] INVERSE = new byte[0x100];

  static {
    for (int i = 0; i < TABLE.length; i++) {
      int register = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        register = register >>> 1 ^ ((register & 1) == 0 ? 0 : POLYNOMIAL);
      }
      TABLE[i] = register;
      INVERSE[register >>> 24] = (byte) i;
    }
  }

  private static final int LOCAL_ROUTE_BYTES = 8;
  private static final byte ONES = (byte) 0xff;
  private static final byte HIGH_ONES = (byte) 0xf0;
  private static final byte LOW_ONES = 0x0f;

  /**
   * Maximum number of bytes that are copied behind the headers: one CRC call then costs less than
   * two.
   */
  private static final int SHORT = 256;

  private final CRC32 crc = new CRC32();

  /**
   * The largest headers with masked fields: LRH, GRH and BTH, or IPv6, UDP and BTH. Then room for
   * the bytes that follow, if they are few.
   */
  private final byte[] head =
      new byte
          [LOCAL_ROUTE_BYTES
              + Ipv6.HEADER.bytes()
              + Udp.HEADER.bytes()
              + Bth.HEADER.bytes()
              + SHORT];

  // Bytes in it that are not yet part of the CRC.
  private int pending;

  /** Begins with the headers of a RoCEv2 packet, from its IPv4 header to its BTH. */
  public Icrc ipv4(ByteBuffer packet, int ipv4, int bth) {
    withoutLocalRoute(packet, ipv4, bth);
    int at = LOCAL_ROUTE_BYTES;
    head[at + 1] = ONES;
    head[at + 8] = ONES;
    head[at + 10] = ONES;
    head[at + 11] = ONES;
    return udp(bth - ipv4);
  }

  /** Begins with the headers of a RoCEv2 packet, from its IPv6 header to its BTH. */
  public Icrc ipv6(ByteBuffer packet, int ipv6, int bth) {
    withoutLocalRoute(packet, ipv6, bth);
    maskGlobalRoute();
    return udp(bth - ipv6);
  }

  /** Begins with the headers of a RoCE v1 packet, from its GRH to its BTH. */
  public Icrc v1(ByteBuffer packet, int grh, int bth) {
    withoutLocalRoute(packet, grh, bth);
    maskGlobalRoute();
    return transport(bth - grh);
  }

  /** Begins with the headers of an InfiniBand packet, from its LRH to its BTH. */
  public Icrc infiniBand(ByteBuffer packet, int lrh, int bth) {
    int bytes = bth - lrh + Bth.HEADER.bytes();
    packet.get(lrh, head, 0, bytes);
    head[0] |= HIGH_ONES;
    if (bth - lrh > LOCAL_ROUTE_BYTES) {
      maskGlobalRoute();
    }
    return transport(bth - lrh - LOCAL_ROUTE_BYTES);
  }

  private void withoutLocalRoute(ByteBuffer packet, int network, int bth) {
    Arrays.fill(head, 0, LOCAL_ROUTE_BYTES, ONES);
    packet.get(network, head, LOCAL_ROUTE_BYTES, bth - network + Bth.HEADER.bytes());
  }

  /** Traffic class, flow label and hop limit. */
  private void maskGlobalRoute() {
    int at = LOCAL_ROUTE_BYTES;
    head[at] |= LOW_ONES;
    head[at + 1] = ONES;
    head[at + 2] = ONES;
    head[at + 3] = ONES;
    head[at + 7] = ONES;
  }

  private Icrc udp(int bth) {
    int at = LOCAL_ROUTE_BYTES + bth - Udp.HEADER.bytes();
    head[at + 6] = ONES;
    head[at + 7] = ONES;
    return transport(bth);
  }

  private Icrc transport(int bth) {
    int at = LOCAL_ROUTE_BYTES + bth;
    head[at + 4] = ONES;
    crc.reset();
    pending = at + Bth.HEADER.bytes();
    return this;
  }

  /** Adds bytes behind the BTH, without changing the position and limit of the buffer. */
  public Icrc add(ByteBuffer buffer, int at, int bytes) {
    if (bytes <= head.length - pending && at + bytes <= buffer.limit()) {
      buffer.get(at, head, pending, bytes);
      pending += bytes;
      return this;
    }
    addPending();
    int position = buffer.position();
    int limit = buffer.limit();
    buffer.limit(at + bytes).position(at);
    crc.update(buffer);
    buffer.limit(limit).position(position);
    return this;
  }

  /**
   * Finds the change of the IPv4 identification that causes a given change of the ICRC. A CRC is
   * linear: the effect of a change does not depend on the rest of the message.
   *
   * @param difference of two ICRCs, as on the wire
   * @param behind bytes of the packet between identification and ICRC
   * @return 16 bits; −1 when no change of these two bytes causes it
   */
  static int change(int difference, int behind) {
    int register = Integer.reverseBytes(difference);
    for (int i = 0; i < behind + Short.BYTES; i++) {
      int last = INVERSE[register >>> 24] & 0xff;
      register = (register ^ TABLE[last]) << 8 | last;
    }
    return register >>> 16 == 0 ? (Short.reverseBytes((short) register) & 0xffff) : -1;
  }

  private void addPending() {
    crc.update(head, 0, pending);
    pending = 0;
  }

  /** Its value as the four bytes on the wire, the first of them most significant. */
  public int wire() {
    addPending();
    return Integer.reverseBytes((int) crc.getValue());
  }
}
