package dev.bluebell.roce.packet;

/** As {@link Sll}, in newer captures: LINKTYPE_LINUX_SLL2. */
public final class Sll2 {
  public static final Header HEADER = new Header("sll2");

  public static final Field TYPE = HEADER.hex("type", 16);
  public static final Field RESERVED = HEADER.hex("reserved", 16);
  public static final Field INTERFACE = HEADER.decimal("interface", 32);
  public static final Field ARPHRD = HEADER.decimal("arphrd", 16);
  public static final Field PACKET_TYPE = HEADER.decimal("packet_type", 8);
  public static final Field ADDRESS_LENGTH = HEADER.decimal("address_length", 8);
  public static final Field ADDRESS = HEADER.hex("address", 64);

  private Sll2() {}
}
