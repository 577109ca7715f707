package dev.bluebell.roce.packet;

import java.util.Arrays;
import java.util.Optional;

/**
 * Type of the header with which a captured packet starts. Source: the list of link types of
 * tcpdump.
 */
public enum LinkType {
  ETHERNET(1),
  /** IPv4 or IPv6, according to the first four bits. */
  RAW_IP(101),
  LINUX_SLL(113),
  IPV4(228),
  IPV6(229),
  /** A local route header. */
  INFINIBAND(247),
  LINUX_SLL2(276);

  private final int number;

  LinkType(int number) {
    this.number = number;
  }

  /** Its number in capture files. */
  public int number() {
    return number;
  }

  /** The link type of a number; empty for others. */
  public static Optional<LinkType> of(int number) {
    return Arrays.stream(values()).filter(type -> type.number == number).findFirst();
  }
}
