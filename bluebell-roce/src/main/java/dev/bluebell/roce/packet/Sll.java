package dev.bluebell.roce.packet;

/**
 * The header that tcpdump writes in place of the link header when it captures on any interface:
 * LINKTYPE_LINUX_SLL.
 */
public final class Sll {
  public static final Header HEADER = new Header("sll");

  public static final Field PACKET_TYPE = HEADER.decimal("packet_type", 16);
  public static final Field ARPHRD = HEADER.decimal("arphrd", 16);
  public static final Field ADDRESS_LENGTH = HEADER.decimal("address_length", 16);
  public static final Field ADDRESS = HEADER.hex("address", 64);
  public static final Field TYPE = HEADER.hex("type", 16);

  private Sll() {}
}
