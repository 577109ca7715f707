package dev.bluebell.roce.packet;

/** The header of an Ethernet II frame. Source: IEEE 802.3. */
public final class Ethernet {
  /** IEEE 802.1Q tag. */
  public static final int VLAN = 0x8100;

  /** IEEE 802.1ad outer tag. */
  public static final int SERVICE_VLAN = 0x88a8;

  public static final int IPV4 = 0x0800;
  public static final int IPV6 = 0x86dd;

  /** RoCE v1: a global route header follows. */
  public static final int ROCE_V1 = 0x8915;

  public static final Header HEADER = new Header("eth");

  public static final Field DST = HEADER.field("dst", 48, Form.MAC);
  public static final Field SRC = HEADER.field("src", 48, Form.MAC);
  public static final Field TYPE = HEADER.hex("type", 16);

  private Ethernet() {}
}
