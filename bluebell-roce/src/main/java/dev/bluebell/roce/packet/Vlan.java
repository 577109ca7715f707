package dev.bluebell.roce.packet;

/** An IEEE 802.1Q tag, from behind its EtherType up to and including the next one. */
public final class Vlan {
  public static final Header HEADER = new Header("vlan");

  public static final Field PCP = HEADER.decimal("pcp", 3);
  public static final Field DEI = HEADER.decimal("dei", 1);
  public static final Field VID = HEADER.decimal("vid", 12);
  public static final Field TYPE = HEADER.hex("type", 16);

  private Vlan() {}
}
