package dev.bluebell.roce.packet;

/** The header of atomic requests. Source: the InfiniBand specification. */
public final class AtomicEth {
  public static final Header HEADER = new Header("atomiceth");

  public static final Field VA = HEADER.hex("va", 64);
  public static final Field R_KEY = HEADER.hex("rkey", 32);
  public static final Field SWAP_ADD = HEADER.hex("swapadd", 64);
  public static final Field COMPARE = HEADER.hex("compare", 64);

  private AtomicEth() {}
}
