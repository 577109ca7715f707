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

  /** The polynomial 1: as in the CRC's register, the highest bit is the coefficient of x^0. */
  private static final int ONE = Integer.MIN_VALUE;

  // Factors that take a register back over n bytes, by the low and the high byte of n.
  private static final int[] BACK = new int[0x100];
  private static final int[] FAR_BACK = new int[0x100];

  static {
    int factor = ONE;
    for (int i = 0; i < BACK.length; i++) {
      BACK[i] = factor;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        factor = factor >= 0 ? factor << 1 : (factor ^ POLYNOMIAL) << 1 | 1;
      }
    }
    FAR_BACK[0] = ONE;
    for (int i = 1; i < FAR_BACK.length; i++) {
      FAR_BACK[i] = multiply(FAR_BACK[i - 1], factor);
    }
  }

  /** Multiplies modulo the CRC's polynomial. */
  private static int multiply(int one, int other) {
    int product = 0;
    int shifted = other;
    for (int bits = one; bits != 0; bits <<= 1) {
      product ^= bits < 0 ? shifted : 0;
      shifted = shifted >>> 1 ^ ((shifted & 1) == 0 ? 0 : POLYNOMIAL);
    }
    return product;
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
   * linear: the effect of a change does not depend on the rest of the message. Any sender can make
   * a receiver call this for each packet, so the cost does not grow with the packet.
   *
   * @param difference of two ICRCs, as on the wire
   * @param behind bytes of the packet between identification and ICRC, less than 65,534
   * @return 16 bits; −1 when no change of these two bytes causes it
   */
  static int change(int difference, int behind) {
    int bytes = behind + Short.BYTES;
    int near = multiply(Integer.reverseBytes(difference), BACK[bytes & 0xff]);
    int register = multiply(near, FAR_BACK[bytes >>> 8]);
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
