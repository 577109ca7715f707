package dev.bluebell.roce.packet;

/**
 * The RDMA header: the whole range that a WRITE or a READ accesses. Source: the InfiniBand
 * specification.
 */
public final class Reth {
  public static final Header HEADER = new Header("reth");

  public static final Field VA = HEADER.hex("va", 64);
  public static final Field R_KEY = HEADER.hex("rkey", 32);
  public static final Field DMA_LENGTH = HEADER.decimal("dmalen", 32);

  private Reth() {}
}
