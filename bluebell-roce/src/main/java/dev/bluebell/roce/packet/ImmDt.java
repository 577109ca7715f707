package dev.bluebell.roce.packet;

/** Immediate data, opaque. Source: the InfiniBand specification. */
public final class ImmDt {
  public static final Header HEADER = new Header("immdt");

  public static final Field DATA = HEADER.hex("data", 32);

  private ImmDt() {}
}
