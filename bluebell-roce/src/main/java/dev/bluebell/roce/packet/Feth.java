package dev.bluebell.roce.packet;

/**
 * The header of FLUSH, InfiniBand specification 1.5 and later. Source: {@code rxe_hdr.h: struct
 * rxe_feth}.
 */
public final class Feth {
  public static final Header HEADER = new Header("feth");

  public static final Field RESERVED = HEADER.hex("resv", 26);
  public static final Field SELECTIVITY = HEADER.decimal("sel", 2);
  public static final Field PLACEMENT = HEADER.hex("plt", 4);

  private Feth() {}
}
