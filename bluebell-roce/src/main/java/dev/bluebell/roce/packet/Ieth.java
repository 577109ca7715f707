package dev.bluebell.roce.packet;

/** The key that a SEND with Invalidate invalidates. Source: the InfiniBand specification. */
public final class Ieth {
  public static final Header HEADER = new Header("ieth");

  public static final Field R_KEY = HEADER.hex("rkey", 32);

  private Ieth() {}
}
