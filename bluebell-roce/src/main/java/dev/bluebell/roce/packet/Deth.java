package dev.bluebell.roce.packet;

/**
 * The datagram header. Source: the InfiniBand specification, and {@code ib_pack.h: struct
 * ib_unpacked_deth}.
 */
public final class Deth {
  public static final Header HEADER = new Header("deth");

  public static final Field Q_KEY = HEADER.hex("qkey", 32);
  public static final Field RESERVED = HEADER.hex("resv", 8);
  public static final Field SRC_QP = HEADER.hex("srcqp", 24);

  private Deth() {}
}
