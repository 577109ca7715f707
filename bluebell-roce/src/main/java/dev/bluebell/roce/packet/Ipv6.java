package dev.bluebell.roce.packet;

/** The IPv6 header. Source: RFC 8200. */
public final class Ipv6 {
  public static final Header HEADER = new Header("ipv6");

  public static final Field VERSION = HEADER.decimal("version", 4);
  public static final Field TRAFFIC_CLASS = HEADER.hex("tclass", 8);
  public static final Field FLOW_LABEL = HEADER.hex("flowlabel", 20);
  public static final Field PAYLOAD_LENGTH = HEADER.decimal("len", 16);
  public static final Field NEXT_HEADER = HEADER.decimal("next", 8);
  public static final Field HOP_LIMIT = HEADER.decimal("hoplimit", 8);
  public static final Field SRC = HEADER.field("src", 128, Form.IPV6);
  public static final Field DST = HEADER.field("dst", 128, Form.IPV6);

  private Ipv6() {}
}
