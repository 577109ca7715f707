package dev.bluebell.roce.packet;

/**
 * The base transport header. Source: the InfiniBand specification, and {@code ib_pack.h: struct
 * ib_unpacked_bth}.
 */
public final class Bth {
  public static final Header HEADER = new Header("bth");

  public static final Field OPCODE = HEADER.field("opcode", 8, Form.OPCODE);
  public static final Field SE = HEADER.decimal("se", 1);
  public static final Field M = HEADER.decimal("m", 1);
  public static final Field PAD_COUNT = HEADER.decimal("pad", 2);
  public static final Field TVER = HEADER.decimal("tver", 4);
  public static final Field P_KEY = HEADER.hex("pkey", 16);
  public static final Field FECN = HEADER.decimal("f", 1);
  public static final Field BECN = HEADER.decimal("b", 1);
  public static final Field RESERVED6 = HEADER.hex("resv6", 6);
  public static final Field DEST_QP = HEADER.hex("destqp", 24);
  public static final Field ACK_REQ = HEADER.decimal("a", 1);
  public static final Field RESERVED7 = HEADER.hex("resv7", 7);
  public static final Field PSN = HEADER.hex("psn", 24);

  private Bth() {}
}
