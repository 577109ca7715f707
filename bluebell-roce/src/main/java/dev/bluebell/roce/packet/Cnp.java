package dev.bluebell.roce.packet;

/**
 * The reserved bytes of a congestion notification packet. Source: the RoCEv2 annex of the
 * InfiniBand specification.
 */
public final class Cnp {
  public static final Header HEADER = new Header("cnp");

  public static final Field RESERVED_HIGH = HEADER.hex("resvhigh", 64);
  public static final Field RESERVED_LOW = HEADER.hex("resvlow", 64);

  private Cnp() {}
}
