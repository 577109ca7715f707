package dev.bluebell.roce.packet;

/** The header with the original value of an atomic. Source: the InfiniBand specification. */
public final class AtomicAckEth {
  public static final Header HEADER = new Header("atomicacketh");

  public static final Field ORIGINAL = HEADER.hex("original", 64);

  private AtomicAckEth() {}
}
