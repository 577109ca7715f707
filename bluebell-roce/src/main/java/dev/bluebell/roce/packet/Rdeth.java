package dev.bluebell.roce.packet;

/** The reliable datagram header. No sender of it is known. Source: the InfiniBand specification. */
public final class Rdeth {
  public static final Header HEADER = new Header("rdeth");

  public static final Field RESERVED = HEADER.hex("resv", 8);
  public static final Field EE_CONTEXT = HEADER.hex("eecnxt", 24);

  private Rdeth() {}
}
