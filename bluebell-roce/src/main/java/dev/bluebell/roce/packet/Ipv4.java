package dev.bluebell.roce.packet;

import java.nio.ByteBuffer;

/** The IPv4 header without options, which RoCEv2 does not allow. Source: RFC 791. */
public final class Ipv4 {
  /** Flag: more fragments follow. */
  public static final int MORE_FRAGMENTS = 1;

  public static final Header HEADER = new Header("ipv4");

  public static final Field VERSION = HEADER.decimal("version", 4);
  public static final Field IHL = HEADER.decimal("ihl", 4);
  public static final Field TOS = HEADER.hex("tos", 8);
  public static final Field TOTAL_LENGTH = HEADER.decimal("len", 16);
  public static final Field IDENTIFICATION = HEADER.hex("id", 16);
  public static final Field FLAGS = HEADER.hex("flags", 3);
  public static final Field FRAGMENT_OFFSET = HEADER.decimal("fragment", 13);
  public static final Field TTL = HEADER.decimal("ttl", 8);
  public static final Field PROTOCOL = HEADER.decimal("protocol", 8);
  public static final Field CHECKSUM = HEADER.hex("checksum", 16);
  public static final Field SRC = HEADER.field("src", 32, Form.IPV4);
  public static final Field DST = HEADER.field("dst", 32, Form.IPV4);

  private Ipv4() {}

  /**
   * The checksum that the header at {@code at} must have; reads all its fields but the checksum.
   */
  public static int checksum(ByteBuffer buffer, int at) {
    int sum = -CHECKSUM.getInt(buffer, at);
    for (int i = 0; i < HEADER.bytes(); i += Short.BYTES) {
      sum += buffer.getShort(at + i) & 0xffff;
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    return ~(sum + (sum >>> 16)) & 0xffff;
  }
}
