package dev.bluebell.roce.packet;

/**
 * The header of XRC requests. Its position directly behind the BTH is from public descriptions of
 * the InfiniBand specification; no capture confirms it.
 */
public final class XrcEth {
  public static final Header HEADER = new Header("xrceth");

  public static final Field RESERVED = HEADER.hex("resv", 8);
  public static final Field SRQ = HEADER.hex("xrcsrq", 24);

  private XrcEth() {}
}
