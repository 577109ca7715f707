package dev.bluebell.roce.packet;

/**
 * The local route header of InfiniBand. Source: the InfiniBand specification, and {@code ib_pack.h:
 * struct ib_unpacked_lrh}.
 */
public final class Lrh {
  /** Value of LNH: a BTH follows. */
  public static final int LNH_BTH = 2;

  /** Value of LNH: a GRH follows. */
  public static final int LNH_GRH = 3;

  public static final Header HEADER = new Header("lrh");

  public static final Field VL = HEADER.decimal("vl", 4);
  public static final Field LVER = HEADER.decimal("lver", 4);
  public static final Field SL = HEADER.decimal("sl", 4);
  public static final Field RESERVED2 = HEADER.hex("resv2", 2);
  public static final Field LNH = HEADER.decimal("lnh", 2);
  public static final Field DLID = HEADER.hex("dlid", 16);
  public static final Field RESERVED5 = HEADER.hex("resv5", 5);
  public static final Field PKT_LEN = HEADER.decimal("pktlen", 11);
  public static final Field SLID = HEADER.hex("slid", 16);

  private Lrh() {}
}
