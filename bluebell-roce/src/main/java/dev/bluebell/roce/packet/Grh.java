package dev.bluebell.roce.packet;

/**
 * The global route header of InfiniBand and RoCE v1. Source: {@code ib_pack.h: struct
 * ib_unpacked_grh}.
 */
public final class Grh {
  /** Next header: a BTH follows. */
  public static final int BTH = 0x1b;

  public static final Header HEADER = new Header("grh");

  public static final Field IP_VERSION = HEADER.decimal("ipver", 4);
  public static final Field TRAFFIC_CLASS = HEADER.hex("tclass", 8);
  public static final Field FLOW_LABEL = HEADER.hex("flowlabel", 20);
  public static final Field PAYLOAD_LENGTH = HEADER.decimal("paylen", 16);
  public static final Field NEXT_HEADER = HEADER.hex("nxthdr", 8);
  public static final Field HOP_LIMIT = HEADER.decimal("hoplmt", 8);
  public static final Field SGID = HEADER.field("sgid", 128, Form.IPV6);
  public static final Field DGID = HEADER.field("dgid", 128, Form.IPV6);

  private Grh() {}
}
