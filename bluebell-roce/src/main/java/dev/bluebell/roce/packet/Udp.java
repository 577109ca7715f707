package dev.bluebell.roce.packet;

/** The UDP header. Source: RFC 768; the port is IANA's for RoCEv2. */
public final class Udp {
  /** Protocol of IPv4, next header of IPv6. */
  public static final int PROTOCOL = 17;

  /** Destination port of RoCEv2, of requests and of responses. */
  public static final int ROCE_PORT = 4791;

  public static final Header HEADER = new Header("udp");

  public static final Field SRC = HEADER.decimal("src", 16);
  public static final Field DST = HEADER.decimal("dst", 16);
  public static final Field LENGTH = HEADER.decimal("len", 16);
  public static final Field CHECKSUM = HEADER.hex("checksum", 16);

  private Udp() {}
}
